/** The languages code is coloured in: highlight.js' common set and a few that chats are full of. */
import hljs from "highlight.js/lib/common";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import latex from "highlight.js/lib/languages/latex";
import powershell from "highlight.js/lib/languages/powershell";

hljs.registerLanguage("dockerfile", dockerfile);
hljs.registerLanguage("latex", latex);
hljs.registerLanguage("powershell", powershell);

export default hljs;
