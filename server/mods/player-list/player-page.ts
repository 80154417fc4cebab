import { createHash } from 'node:crypto';
import type { ModLoader } from '#contracts/servers/agent-mods.ts';
import { games } from '#contracts/servers/games.ts';
import { escapeHtml } from '#runtime/escape-html.ts';
import type { PlayerListAnswer } from './player-list.ts';

type Language = 'en' | 'pt-BR';

const words = {
  en: {
    title: (server: string) => `Mods of ${server}`,
    intro: 'To play here, you need these mods.',
    none: 'You need no mods to play here.',
    pack: 'Download the mods for your launcher (.mrpack)',
    packHelp: 'Launchers such as Prism and the Modrinth App install this file.',
    byHand: 'not in the file, install it from its page',
    optional: 'optional',
    missing: 'This list is not available',
    missingHelp: 'The link is wrong or no longer shared. Ask the people who run the server for a new one.',
  },
  'pt-BR': {
    title: (server: string) => `Mods de ${server}`,
    intro: 'Para jogar aqui, você precisa destes mods.',
    none: 'Você não precisa de mods para jogar aqui.',
    pack: 'Baixar os mods para o seu launcher (.mrpack)',
    packHelp: 'Launchers como o Prism e o Modrinth App instalam este arquivo.',
    byHand: 'não está no arquivo, instale pela página do mod',
    optional: 'opcional',
    missing: 'Esta lista não está disponível',
    missingHelp: 'O link está errado ou não é mais compartilhado. Peça um novo a quem cuida do servidor.',
  },
} as const;

const loaderNames = {
  fabric: 'Fabric',
  quilt: 'Quilt',
  forge: 'Forge',
  neoforge: 'NeoForge',
  paper: 'Paper',
  velocity: 'Velocity',
} as const satisfies Record<ModLoader, string>;

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:0 auto;padding:2rem 1rem;color:CanvasText;background:Canvas}
h1{font-size:1.5rem;margin:0 0 .25rem;overflow-wrap:anywhere}
p{margin:.25rem 0 1rem;overflow-wrap:anywhere}
ul{list-style:none;padding:0;margin:1.5rem 0}
li{padding:.5rem 0;border-top:1px solid color-mix(in srgb,CanvasText 15%,transparent);overflow-wrap:anywhere}
small{display:block;opacity:.75}
.pack{display:inline-block;padding:.6rem 1rem;border-radius:.5rem;background:LinkText;color:Canvas;text-decoration:none;font-weight:600}`;

const styleHash = createHash('sha256').update(style).digest('base64');
/** The page loads nothing but its own style. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The reader's first language that both sides know, otherwise the community's. */
export const pageLanguage = (accepted: readonly string[], communitys: Language): Language => {
  const [first] = accepted
    .map((tag) => tag.toLowerCase().split('-')[0])
    .filter((tag) => tag === 'en' || tag === 'pt');
  if (first === undefined) return communitys;
  return first === 'pt' ? 'pt-BR' : 'en';
};

/** How a page is written, and for whom. */
interface PageReader {
  readonly language: Language;
  /** Null: it has no name. */
  readonly communityName: string | null;
}

export const renderPlayerPage = (list: PlayerListAnswer, packPath: string, reader: PageReader): string => {
  const { language } = reader;
  const say = words[language];
  const runs = [
    games[list.game].name,
    list.gameVersion,
    list.loader && [loaderNames[list.loader], list.loaderVersion].filter(Boolean).join(' '),
  ].filter((part) => part !== null);
  const items = list.mods.map(({ name, versionName, page, isOptional, isInPack }) => {
    const shown = escapeHtml(name);
    const linked =
      page === null ? shown : `<a href="${escapeHtml(page)}" rel="noreferrer noopener">${shown}</a>`;
    const notes = [
      versionName === null ? null : escapeHtml(versionName),
      isOptional ? say.optional : null,
      list.hasPack && !isInPack ? say.byHand : null,
    ].filter((note) => note !== null);
    return `<li>${linked}${notes.length > 0 ? `<small>${notes.join(' · ')}</small>` : ''}</li>`;
  });
  const pack = list.hasPack
    ? `<p><a class="pack" href="${escapeHtml(packPath)}">${say.pack}</a><small>${say.packHelp}</small></p>`
    : '';
  const title = escapeHtml(say.title(list.server));
  const body =
    items.length > 0 ? `<p>${say.intro}</p>${pack}<ul>${items.join('')}</ul>` : `<p>${say.none}</p>`;
  return document(reader, title, `<h1>${title}</h1><p>${escapeHtml(runs.join(' · '))}</p>${body}`);
};

export const renderMissingPage = (reader: PageReader): string => {
  const { missing, missingHelp } = words[reader.language];
  return document(reader, missing, `<h1>${missing}</h1><p>${missingHelp}</p>`);
};

const document = ({ language, communityName }: PageReader, title: string, body: string): string => {
  const name = communityName === null ? null : escapeHtml(communityName);
  const heading = name === null ? '' : `<p><b dir="auto">${name}</b></p>`;
  const whole = name === null ? title : `${title} – ${name}`;
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${whole}</title><style>${style}</style></head><body><main>${heading}${body}</main></body></html>`;
};
