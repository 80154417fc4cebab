import { loadWhenServed } from '../../kit/routing/page-chunks.ts';

interface GuideEntry {
  /** Within `docs`. */
  readonly file: string;
  readonly load: () => Promise<{ readonly default: string }>;
}

/** The documents that ship with the panel, each in its own chunk, so that they can be read without the internet. */
export const guides = {
  gameAgents: {
    file: 'operations/game-agents.md',
    load: () => import('../../../docs/operations/game-agents.md?raw'),
  },
  health: { file: 'operations/health.md', load: () => import('../../../docs/operations/health.md?raw') },
  outsideShops: {
    file: 'operations/outside-shops.md',
    load: () => import('../../../docs/operations/outside-shops.md?raw'),
  },
  problems: { file: 'problems.md', load: () => import('../../../docs/problems.md?raw') },
  glossary: { file: 'glossary.md', load: () => import('../../../docs/glossary.md?raw') },
} as const satisfies Record<string, GuideEntry>;

export type GuideName = keyof typeof guides;
export const guideNames = Object.keys(guides) as GuideName[];

export interface GuideLink {
  readonly guide: GuideName;
  /** The id of one of its headings. */
  readonly heading?: string;
}

export const loadGuide = (name: GuideName): Promise<string> =>
  loadWhenServed<{ readonly default: string }>(guides[name].load)().then((loaded) => loaded.default);

/** The id of a heading in an address. */
export const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

export const guideAddress = ({ guide, heading }: GuideLink): string =>
  `/help/guides/${guide}${heading === undefined ? '' : `?part=${headingId(heading)}`}`;
