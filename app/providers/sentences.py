"""What went wrong with a provider, sentence by sentence, each under the key by which the page words it in its language."""

from collections.abc import Mapping
from typing import Any

from app.core.messages import ErrorKind
from app.core.provider import ProviderError
from app.core.saying import Hole, Saying, saying, worded

SENTENCES = {
    "provider.auth": "{who} does not accept the key. Check it in the settings, or make a new one.",
    "provider.oddKey": "The key for {who} holds “{word}”, which no key does. Copy the key again and enter it in the settings.",
    "provider.noKey": "There is no key for {who}. Enter one in the settings, or set {variable}.",
    "provider.balance": "The account at {who} has no credit left. Top it up, or choose another provider.",
    "provider.rateLimit": "{who} limits how much may be asked in a short time. Try again in a moment.",
    "provider.rateLimitFor": "{who} limits how much may be asked in a short time. Try again in {wait}.",
    "provider.overloaded": ("{who} is overloaded or still loading the model. Try again in a moment, or choose another model."),
    "provider.paused": "{who} failed several times in a row. LeoChat asks again in {wait}; retry to ask now.",
    "provider.tooLong": (
        "The conversation is too long for {model}. Start a new one, shorten it, or choose a model with more context."
    ),
    "provider.tooLongHere": (
        "The conversation is too long for this model. Start a new one, shorten it, or choose a model with more context."
    ),
    "provider.filtered": "{who} refused the content. Change the message and try again.",
    "provider.slow": "{who} took too long. Try again.",
    "provider.internal": "{who} has a problem of its own (HTTP {status}). Try again in a moment.",
    "provider.internalInside": "{who} has a problem of its own. Try again in a moment.",
    "provider.noModel": "{who} has no model {model}, or this key may not use it. Choose a model from the list.",
    "provider.noSuchModel": "{who} has no model of that name, or this key may not use it. Choose a model from the list.",
    "provider.noServer": "There is no model server at this address (HTTP {status}). Check the base URL of {who}.",
    "provider.firewall": (
        "The request did not reach {who}: a firewall or gateway on the way refused it (HTTP {status}). "
        "Check your network, a VPN and the base URL."
    ),
    "provider.region": "{who} does not serve the country or region that this request came from.",
    "provider.signIn": "This network wants you to sign in first: open any page in your browser, then try again.",
    "provider.tooLarge": ("The request is too large for {who}. Leave out attachments or start a new conversation."),
    "provider.refused": "{who} refused the request (HTTP {status}).",
    "provider.reported": "{who} reported an error in its answer.",
    "provider.stopped": "{who} stopped with “{word}”.",
    "provider.cancelled": "{who} cancelled the reply.",
    "provider.badCall": "The model ended its reply with an unreadable tool call ({word}). Try again.",
    "provider.cutOff": "The reply broke off before it was complete.",
    "provider.pageInside": "A web page came in the middle of the answer.",
    "provider.moved": "{url} sends requests on to {there}. Put the final address into the settings.",
    "provider.webPage": "This address answers with a web page, not as a model server. Check the base URL.",
    "provider.plainWords": "This address answers with words of its own, not as a model server. Check the base URL.",
    "provider.otherShape": ("The answer does not have the shape of this protocol. Is it the right protocol for this address?"),
    "provider.badEvent": "The answer holds an event that is not valid JSON; the connection may have been cut.",
    "provider.noEvent": "The answer holds something that is not an event.",
    "provider.badJson": "The answer is not valid JSON; the connection may have been cut.",
    "provider.noHttp": ("What answers at {url} is not a model server (it does not speak HTTP). Check the base URL."),
    "provider.packed": (
        "The answer of {who} is packed in a way that cannot be read ({word}). A proxy or gateway on the way may have done it."
    ),
    "provider.silent": "{who} went silent for too long. Try again, or choose another model.",
    "provider.late": "{who} did not answer within {seconds} s.",
    "provider.proxy": "The proxy does not let the request through. Check HTTPS_PROXY and NO_PROXY.",
    "provider.proxyDown": "The proxy {url} cannot be reached. Check HTTPS_PROXY and your network.",
    "provider.noProxy": "{url} is not the address of a proxy. Check HTTPS_PROXY and HTTP_PROXY.",
    "provider.proxyKind": "A proxy of kind {kind} is not supported; set HTTPS_PROXY to an HTTP proxy.",
    "provider.noUrl": "{url} is not an address. Check the base URL in the settings.",
    "provider.needsUrl": "{who} needs a base URL: set it in the settings under Providers.",
    "provider.brokeOff": "The connection to {who} broke off.",
    "provider.certificate": (
        "The certificate of {url} is not trusted. Behind a company proxy, set SSL_CERT_FILE to its certificates."
    ),
    "provider.noTls": "{url} does not speak TLS as it should. Is it http:// instead?",
    "provider.wantsTls": "What answers at {url} seems to speak TLS. Is it https:// instead?",
    "provider.nothingThere": "Nothing answers at {url}. Start {who} there, or check the address.",
    "provider.unknownHost": ("The address {url} is not known here. Check the base URL and your connection to the internet."),
    "provider.unreachable": "{who} cannot be reached at {url}. Check your connection to the internet.",
    "provider.answered": "{model} answered.",
    "provider.nameModel": "Name a model: this endpoint lists none.",
    "provider.askedOtherwise": "{who} does not take one of the fields of the request. It is asked in another way.",
    "provider.withoutTools": "{model} takes no tools. It is asked without them.",
    "provider.withoutSystem": "{model} takes no system prompt. It gets it with the first message.",
    "provider.withoutTemperature": "{model} takes no other temperature than its own. It is asked with that.",
    "provider.withoutPictures": "{model} takes no pictures. It is asked with a note in their place.",
    "provider.unread": "{model} cannot read {name}: it is told only what it is called.",
    "provider.withoutThinking": "{model} does not take this setting for thinking. It is asked with what it takes.",
}
SOMEBODY = "The model server"


def sentence(said: Saying) -> str:
    """In English. Who it is about may not be known yet."""
    return worded(SENTENCES[said["key"]], {"who": SOMEBODY, **said["with"]})


def failure(
    kind: ErrorKind, key: str, detail: str | None = None, *, holes: Mapping[str, Hole | None], **more: Any
) -> ProviderError:
    """A ProviderError that says the sentence of `key`; `more`: its status, retryable, retry_after."""
    said = saying(f"provider.{key}", **holes)
    return ProviderError(kind, sentence(said), detail, said=said, **more)
