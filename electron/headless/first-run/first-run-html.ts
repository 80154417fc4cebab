import { createHash } from 'node:crypto';
import { type Language, languages, spokenLanguage } from '#contracts/kernel/language.ts';
import { type ProblemCode, problems } from '#contracts/kernel/problems.ts';
import { problemsPtBr } from '#contracts/kernel/problems-pt-br.ts';
import { product } from '#contracts/kernel/product.ts';
import { defineWords } from '#contracts/kernel/words.ts';
import type { ActivationFailure } from '#contracts/license/license-answers.ts';
import { escapeHtml } from '#runtime/escape-html.ts';

/** Failures without a problem code, which has its own words. */
type OwnFaults = Record<'invalid-key' | 'rate-limited' | 'unreachable' | 'not-saved', string>;

const firstRunWords = defineWords(
  {
    title: `Set up ${product.name}`,
    licenseTitle: 'License key',
    licenseText: 'Enter the key from your purchase. It is bound to this computer.',
    activate: 'Activate',
    failed: 'Not activated:',
    faults: {
      'invalid-key':
        'There is a typo in this key. Compare it with your purchase e-mail, character by character.',
      'rate-limited': 'Too many attempts. Wait a minute, then try again.',
      unreachable:
        'The license portal could not be reached. Check this computer’s internet connection, then try again.',
      'not-saved':
        'The license was accepted, but not saved on this computer. Check the free disk space, then try again.',
    } satisfies OwnFaults,
    ownerTitle: 'License activated',
    ownerText: 'Next, create the owner of this installation.',
    owner: 'Create the owner',
    starting: 'License activated. The panel is starting …',
    goneTitle: 'This link no longer works',
    goneText:
      'It works once, and for 30 minutes. Stop Castellan with Ctrl-C and start it again for a new one, or run: castellan license activate',
  },
  {
    title: `Configurar o ${product.name}`,
    licenseTitle: 'Chave de licença',
    licenseText: 'Informe a chave da sua compra. Ela fica vinculada a este computador.',
    activate: 'Ativar',
    failed: 'Não ativada:',
    faults: {
      'invalid-key':
        'Há um erro de digitação nesta chave. Compare com o e-mail da sua compra, caractere por caractere.',
      'rate-limited': 'Tentativas demais. Espere um minuto e tente de novo.',
      unreachable:
        'Não foi possível alcançar o portal de licenças. Confira a conexão deste computador com a internet e tente de novo.',
      'not-saved':
        'A licença foi aceita, mas não foi salva neste computador. Confira o espaço livre em disco e tente de novo.',
    } satisfies OwnFaults,
    ownerTitle: 'Licença ativada',
    ownerText: 'Agora, crie o dono desta instalação.',
    owner: 'Criar o dono',
    starting: 'Licença ativada. O painel está iniciando …',
    goneTitle: 'Este link não funciona mais',
    goneText:
      'Ele funciona uma vez, por 30 minutos. Pare o Castellan com Ctrl-C e inicie de novo para receber outro, ou execute: castellan license activate',
  },
);
type FirstRunWords = (typeof firstRunWords)[Language];

/** What the page shows: the form with why it failed last, the way to the owner, or why there is nothing. */
export type FirstRunView =
  | { readonly kind: 'license'; readonly fault: ActivationFailure | null }
  | { readonly kind: 'owner'; readonly link: string }
  | { readonly kind: 'starting' }
  | { readonly kind: 'gone' };

const style = `
:root{color-scheme:light dark;--back:#f7f8fa;--text:#16181d;--dim:#59606e;--line:#c9ced8;--act:#4350d8;--on-act:#fff;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--back:#0f1116;--text:#eceef2;--dim:#a4abb9;--line:#3a4150;--act:#a3acff;--on-act:#0f1116;--bad:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:26rem;margin:0 auto;padding:3rem 1rem}
h1{font-size:1.5rem;margin:0 0 1.5rem}h2{font-size:1.1rem;margin:0 0 .5rem}
p{margin:0 0 1rem}.dim{color:var(--dim)}.bad{color:var(--bad)}
label{display:block;font-weight:600;margin:0 0 .25rem}
input{width:100%;font:inherit;padding:.6rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit;margin:0 0 1rem}
button,a.act{display:inline-block;font:inherit;font-weight:600;padding:.6rem 1.25rem;border:0;border-radius:.5rem;background:var(--act);color:var(--on-act);text-decoration:none;cursor:pointer}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
`;

/** Nothing but its own style and its own form; a page that frames it, or a script, has no place. */
export const firstRunPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export const firstRunPath = { page: '/', license: '/license' } as const;
const refreshSeconds = 2;

/** @param accepted the header `Accept-Language` */
export const renderFirstRun = (view: FirstRunView, accepted: string): string => {
  const wanted = accepted.split(',').map((one) => one.replace(/;.*/, '').trim());
  const language = spokenLanguage(wanted) ?? languages[0];
  const words = firstRunWords[language];
  const refresh = view.kind === 'starting' ? `<meta http-equiv="refresh" content="${refreshSeconds}">` : '';
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">${refresh}
<title>${words.title}</title><style>${style}</style></head>
<body><main><h1>${words.title}</h1>${renderView(view, language)}</main></body></html>`;
};

const renderView = (view: FirstRunView, language: Language): string => {
  const words = firstRunWords[language];
  switch (view.kind) {
    case 'license':
      return licenseForm(words, view.fault && faultText(view.fault, language));
    case 'owner':
      return `<h2>${words.ownerTitle}</h2><p>${words.ownerText}</p><a class="act" href="${escapeHtml(view.link)}">${words.owner}</a>`;
    case 'starting':
      return `<p role="status">${words.starting}</p>`;
    case 'gone':
      return `<h2>${words.goneTitle}</h2><p>${words.goneText}</p>`;
  }
};

/** What is wrong and what to do, in the reader's language. */
const faultText = (failure: ActivationFailure, language: Language): string => {
  switch (failure.outcome) {
    case 'invalid-key':
    case 'rate-limited':
    case 'unreachable':
    case 'not-saved':
      return firstRunWords[language].faults[failure.outcome];
    case 'refused':
      return problemText(failure.code, language);
    case 'unauthorized':
      return problemText('UNAUTHORIZED', language);
    case 'hwid-unavailable':
      return problemText('HWID_UNAVAILABLE', language);
    case 'wrong-environment':
      return problemText('LICENSE_WRONG_ENVIRONMENT', language);
  }
};

const problemText = (code: ProblemCode, language: Language): string => {
  const { meaning, remedy } = language === 'pt-BR' ? problemsPtBr[code] : problems[code];
  return `${meaning} ${remedy}`;
};

const licenseForm = (words: FirstRunWords, fault: string | null): string => `
<form method="post" action="${firstRunPath.license}">
<p class="dim" id="about">${words.licenseText}</p>
${fault === null ? '' : `<p class="bad" role="alert" id="fault">${words.failed} <bdi>${escapeHtml(fault)}</bdi></p>`}
<label for="key">${words.licenseTitle}</label>
<input id="key" name="key" required maxlength="2000" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus
 aria-describedby="${fault === null ? 'about' : 'fault'}"${fault === null ? '' : ' aria-invalid="true"'} placeholder="CSTL-XXXX-XXXX-XXXX-XXXX">
<button>${words.activate}</button>
</form>`;
