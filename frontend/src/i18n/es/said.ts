/** What the backend tells with a key (`said`), in Spanish. */
export const said = {
  "said.reason": "Dice: {reason}",
  "said.provider.auth": "{who} no acepta la clave. Revísala en los ajustes o crea una nueva.",
  "said.provider.oddKey":
    "La clave de {who} contiene «{word}», y ninguna clave lo tiene. Cópiala otra vez y escríbela en los ajustes.",
  "said.provider.noKey": "No hay ninguna clave para {who}. Escríbela en los ajustes o define {variable}.",
  "said.provider.balance": "La cuenta en {who} no tiene saldo. Recárgala o elige otro proveedor.",
  "said.provider.rateLimit": "{who} limita cuánto se puede pedir en poco tiempo. Inténtalo de nuevo en un momento.",
  "said.provider.rateLimitFor": "{who} limita cuánto se puede pedir en poco tiempo. Inténtalo de nuevo en {wait}.",
  "said.provider.overloaded":
    "{who} está saturado o todavía carga el modelo. Inténtalo de nuevo en un momento o elige otro modelo.",
  "said.provider.paused":
    "{who} ha fallado varias veces seguidas. LeoChat preguntará de nuevo en {wait}; reintenta para preguntar ya.",
  "said.provider.tooLong":
    "La conversación es demasiado larga para {model}. Empieza una nueva, acórtala o elige un modelo con más contexto.",
  "said.provider.tooLongHere":
    "La conversación es demasiado larga para este modelo. Empieza una nueva, acórtala o elige un modelo con más contexto.",
  "said.provider.filtered": "{who} ha rechazado el contenido. Cambia el mensaje e inténtalo de nuevo.",
  "said.provider.slow": "{who} ha tardado demasiado. Inténtalo de nuevo.",
  "said.provider.internal": "{who} tiene un problema interno (HTTP {status}). Inténtalo de nuevo en un momento.",
  "said.provider.internalInside": "{who} tiene un problema interno. Inténtalo de nuevo en un momento.",
  "said.provider.noModel":
    "{who} no tiene el modelo {model}, o esta clave no puede usarlo. Elige un modelo de la lista.",
  "said.provider.noSuchModel":
    "{who} no tiene ningún modelo con ese nombre, o esta clave no puede usarlo. Elige un modelo de la lista.",
  "said.provider.noServer":
    "En esta dirección no hay ningún servidor de modelos (HTTP {status}). Revisa la URL base de {who}.",
  "said.provider.firewall":
    "La petición no ha llegado a {who}: un cortafuegos o una pasarela intermedia la ha rechazado (HTTP {status}). Revisa tu red, la VPN y la URL base.",
  "said.provider.region": "{who} no da servicio en el país o la región de donde ha salido esta petición.",
  "said.provider.signIn":
    "Esta red quiere que primero inicies sesión: abre cualquier página en tu navegador e inténtalo de nuevo.",
  "said.provider.tooLarge":
    "La petición es demasiado grande para {who}. Quita archivos adjuntos o empieza una conversación nueva.",
  "said.provider.refused": "{who} ha rechazado la petición (HTTP {status}).",
  "said.provider.reported": "{who} ha comunicado un error en su respuesta.",
  "said.provider.stopped": "{who} se ha detenido con «{word}».",
  "said.provider.cancelled": "{who} ha cancelado la respuesta.",
  "said.provider.badCall":
    "El modelo ha terminado su respuesta con una llamada ilegible a una herramienta ({word}). Inténtalo de nuevo.",
  "said.provider.cutOff": "La respuesta se ha cortado antes de estar completa.",
  "said.provider.pageInside": "En medio de la respuesta ha llegado una página web.",
  "said.provider.moved": "{url} remite las peticiones a {there}. Pon la dirección definitiva en los ajustes.",
  "said.provider.webPage":
    "Esta dirección responde con una página web, no como un servidor de modelos. Revisa la URL base.",
  "said.provider.plainWords":
    "Esta dirección responde con palabras propias, no como un servidor de modelos. Revisa la URL base.",
  "said.provider.otherShape":
    "La respuesta no tiene la forma de este protocolo. ¿Es el protocolo correcto para esta dirección?",
  "said.provider.badEvent":
    "La respuesta contiene un evento que no es JSON válido; puede que se haya cortado la conexión.",
  "said.provider.noEvent": "La respuesta contiene algo que no es un evento.",
  "said.provider.badJson": "La respuesta no es JSON válido; puede que se haya cortado la conexión.",
  "said.provider.noHttp": "Lo que responde en {url} no es un servidor de modelos (no habla HTTP). Revisa la URL base.",
  "said.provider.packed":
    "La respuesta de {who} viene comprimida de un modo que no se puede leer ({word}). Puede deberse a un proxy o una pasarela intermedia.",
  "said.provider.silent": "{who} lleva demasiado tiempo en silencio. Inténtalo de nuevo o elige otro modelo.",
  "said.provider.late": "{who} no ha respondido en {seconds} s.",
  "said.provider.proxy": "El proxy no deja pasar la petición. Revisa HTTPS_PROXY y NO_PROXY.",
  "said.provider.proxyDown": "No se puede llegar al proxy {url}. Revisa HTTPS_PROXY y tu red.",
  "said.provider.noProxy": "{url} no es la dirección de un proxy. Revisa HTTPS_PROXY y HTTP_PROXY.",
  "said.provider.proxyKind": "No se admite un proxy de tipo {kind}; pon en HTTPS_PROXY un proxy HTTP.",
  "said.provider.noUrl": "{url} no es una dirección. Revisa la URL base en los ajustes.",
  "said.provider.needsUrl": "{who} necesita una URL base: ponla en los ajustes, en Proveedores.",
  "said.provider.brokeOff": "Se ha interrumpido la conexión con {who}.",
  "said.provider.certificate":
    "El certificado de {url} no es de confianza. Tras un proxy de empresa, pon en SSL_CERT_FILE sus certificados.",
  "said.provider.noTls": "{url} no habla TLS como debería. ¿Será http://?",
  "said.provider.wantsTls": "Lo que responde en {url} parece hablar TLS. ¿Será https://?",
  "said.provider.nothingThere": "Nadie responde en {url}. Inicia {who} ahí o revisa la dirección.",
  "said.provider.unknownHost": "Aquí no se conoce la dirección {url}. Revisa la URL base y tu conexión a internet.",
  "said.provider.unreachable": "No se puede llegar a {who} en {url}. Revisa tu conexión a internet.",
  "said.provider.answered": "{model} ha respondido.",
  "said.provider.nameModel": "Escribe un modelo: este servidor no ofrece ninguna lista.",
  "said.provider.askedOtherwise": "{who} no admite uno de los campos de la petición. Se le pregunta de otra manera.",
  "said.provider.withoutTools": "{model} no admite herramientas. Se le pregunta sin ellas.",
  "said.provider.withoutSystem": "{model} no admite instrucciones de sistema. Las recibe con el primer mensaje.",
  "said.provider.withoutTemperature": "{model} no admite otra temperatura que la suya. Se le pregunta con ella.",
  "said.provider.withoutPictures": "{model} no admite imágenes. Se le pregunta con una nota en su lugar.",
  "said.provider.unread": "{model} no puede leer {name}: solo se le dice cómo se llama.",
  "said.provider.withoutThinking": "{model} no admite este ajuste de razonamiento. Se le pregunta con el que admite.",
} as const;
