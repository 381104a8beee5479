/** What the backend tells with a key (`said`): the same sentences as its own, in English. */
export const said = {
  "said.reason": "It says: {reason}",
  "said.provider.auth": "{who} does not accept the key. Check it in the settings, or make a new one.",
  "said.provider.noKey": "There is no key for {who}. Enter one in the settings, or set {variable}.",
  "said.provider.balance": "The account at {who} has no credit left. Top it up, or choose another provider.",
  "said.provider.rateLimit": "{who} limits how much may be asked in a short time. Try again in a moment.",
  "said.provider.rateLimitFor": "{who} limits how much may be asked in a short time. Try again in {seconds} s.",
  "said.provider.overloaded":
    "{who} is overloaded or still loading the model. Try again in a moment, or choose another model.",
  "said.provider.paused": "{who} failed several times in a row. LeoChat asks again in {seconds} s; retry to ask now.",
  "said.provider.tooLong":
    "The conversation is too long for {model}. Start a new one, shorten it, or choose a model with more context.",
  "said.provider.tooLongHere":
    "The conversation is too long for this model. Start a new one, shorten it, or choose a model with more context.",
  "said.provider.filtered": "{who} refused the content. Change the message and try again.",
  "said.provider.slow": "{who} took too long. Try again.",
  "said.provider.internal": "{who} has a problem of its own (HTTP {status}). Try again in a moment.",
  "said.provider.internalInside": "{who} has a problem of its own. Try again in a moment.",
  "said.provider.noModel": "{who} has no model {model}, or this key may not use it. Choose a model from the list.",
  "said.provider.noSuchModel":
    "{who} has no model of that name, or this key may not use it. Choose a model from the list.",
  "said.provider.noServer": "There is no model server at this address (HTTP {status}). Check the base URL of {who}.",
  "said.provider.tooLarge": "The request is too large for {who}. Leave out attachments or start a new conversation.",
  "said.provider.refused": "{who} refused the request (HTTP {status}).",
  "said.provider.reported": "{who} reported an error in its answer.",
  "said.provider.stopped": "{who} stopped with “{word}”.",
  "said.provider.cancelled": "{who} cancelled the reply.",
  "said.provider.badCall": "The model ended its reply with an unreadable tool call ({word}). Try again.",
  "said.provider.cutOff": "The reply broke off before it was complete.",
  "said.provider.pageInside": "A web page came in the middle of the answer.",
  "said.provider.moved": "{url} sends requests on to {there}. Put the final address into the settings.",
  "said.provider.webPage": "This address answers with a web page, not as a model server. Check the base URL.",
  "said.provider.plainWords": "This address answers with words of its own, not as a model server. Check the base URL.",
  "said.provider.otherShape":
    "The answer does not have the shape of this protocol. Is it the right protocol for this address?",
  "said.provider.badEvent": "The answer holds an event that is not valid JSON; the connection may have been cut.",
  "said.provider.noEvent": "The answer holds something that is not an event.",
  "said.provider.badJson": "The answer is not valid JSON; the connection may have been cut.",
  "said.provider.noHttp": "What answers at {url} is not a model server (it does not speak HTTP). Check the base URL.",
  "said.provider.packed":
    "The answer of {who} is packed in a way that cannot be read ({word}). A proxy or gateway on the way may have done it.",
  "said.provider.silent": "{who} went silent for too long. Try again, or choose another model.",
  "said.provider.late": "{who} did not answer within {seconds} s.",
  "said.provider.proxy": "The proxy does not let the request through. Check HTTPS_PROXY and NO_PROXY.",
  "said.provider.proxyKind": "A proxy of kind {kind} is not supported; set HTTPS_PROXY to an HTTP proxy.",
  "said.provider.noUrl": "{url} is not an address. Check the base URL in the settings.",
  "said.provider.needsUrl": "{who} needs a base URL: set it in the settings under Providers.",
  "said.provider.brokeOff": "The connection to {who} broke off.",
  "said.provider.certificate":
    "The certificate of {url} is not trusted. Behind a company proxy, set SSL_CERT_FILE to its certificates.",
  "said.provider.noTls": "{url} does not speak TLS as it should. Is it http:// instead?",
  "said.provider.nothingThere": "Nothing answers at {url}. Start {who} there, or check the address.",
  "said.provider.unknownHost":
    "The address {url} is not known here. Check the base URL and your connection to the internet.",
  "said.provider.unreachable": "{who} cannot be reached at {url}. Check your connection to the internet.",
  "said.provider.answered": "{model} answered.",
  "said.provider.nameModel": "Name a model: this endpoint lists none.",
} as const;
