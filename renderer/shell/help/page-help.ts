import type { InWords, WordsOf } from '#contracts/kernel/words.ts';
import { loadWhenServed } from '../../kit/routing/page-chunks.ts';
import type { PageName } from '../navigation.ts';
import type { GuideLink } from './guides.ts';
import type { termsWords } from './terms.words.ts';

interface Task {
  readonly title: string;
  readonly how: string;
}

/** The help text for a page. */
export interface HelpText {
  /** The purpose of the page, in two or three sentences. */
  readonly purpose: string;
  readonly first: Task;
  readonly second: Task;
  readonly third: Task;
}

type TermName = keyof typeof termsWords.en;

interface PageHelp {
  readonly load: () => Promise<WordsOf<HelpText>>;
  readonly terms: readonly TermName[];
  readonly guides: readonly GuideLink[];
}

type TextsOf<Page extends string> = Readonly<Record<Page, InWords<HelpText>>>;

/** The words of a group of pages are one chunk, loaded when the help for one of them is first opened. */
const inGroup =
  <Page extends string>(load: () => Promise<Readonly<Record<'en' | 'pt-BR', TextsOf<Page>>>>) =>
  (page: Page, terms: readonly TermName[], guides: readonly GuideLink[] = []): PageHelp => ({
    load: async () => {
      const texts = await loadWhenServed(load)();
      return { en: texts.en[page], 'pt-BR': texts['pt-BR'][page] };
    },
    terms,
    guides,
  });

const main = inGroup(() => import('./pages/main.words.ts').then(({ mainHelp }) => mainHelp));
const game = inGroup(() => import('./pages/game.words.ts').then(({ gameHelp }) => gameHelp));
const store = inGroup(() => import('./pages/store.words.ts').then(({ storeHelp }) => storeHelp));
const community = inGroup(() =>
  import('./pages/community.words.ts').then(({ communityHelp }) => communityHelp),
);
const records = inGroup(() => import('./pages/records.words.ts').then(({ recordsHelp }) => recordsHelp));
const system = inGroup(() => import('./pages/system.words.ts').then(({ systemHelp }) => systemHelp));

/** Help for every page: a new page needs a line here and its words in the file of its group. */
export const pageHelp: Readonly<Record<PageName, PageHelp>> = {
  overview: main(
    'overview',
    ['stack', 'cluster', 'gameAgent', 'delivery', 'gracePeriod'],
    [{ guide: 'health' }],
  ),
  servers: game(
    'servers',
    ['cluster', 'console', 'gameAgent', 'world', 'chatTrust'],
    [{ guide: 'gameAgents' }, { guide: 'gameAgents', heading: 'Backups of the worlds' }],
  ),
  clusters: game('clusters', ['cluster']),
  players: game('players', ['player', 'member', 'ban', 'inForce', 'chatNewcomer']),
  bans: game('bans', ['ban', 'unban', 'inForce']),
  agents: game(
    'agents',
    ['gameAgent', 'console', 'world'],
    [
      { guide: 'gameAgents' },
      { guide: 'gameAgents', heading: 'What setup changes' },
      { guide: 'gameAgents', heading: 'Certificates' },
      { guide: 'gameAgents', heading: 'Updates' },
    ],
  ),
  mods: game(
    'mods',
    ['changes', 'set', 'rehearse', 'rollBack'],
    [
      { guide: 'gameAgents', heading: 'Mods' },
      { guide: 'gameAgents', heading: 'Files of mods' },
    ],
  ),
  store: store('store', ['product', 'points', 'delivery', 'timedPurchase']),
  orders: store('orders', ['order', 'delivery', 'source', 'withdraw']),
  shops: store(
    'shops',
    ['externalShop', 'order', 'dismiss'],
    [
      { guide: 'outsideShops' },
      { guide: 'outsideShops', heading: 'What was paid for and not delivered' },
      { guide: 'outsideShops', heading: 'When events are refused' },
    ],
  ),
  deliveries: store('deliveries', ['delivery', 'desk', 'withdraw']),
  desk: store('desk', ['desk', 'delivery', 'timedPurchase']),
  discounts: store('discounts', ['discount', 'product', 'points']),
  seasons: store('seasons', ['season', 'restoreAfterWipe', 'points']),
  rewards: store('rewards', ['reward', 'rewardCode', 'points']),
  sales: store('sales', ['order', 'source', 'points']),
  members: community('members', ['member', 'player', 'points']),
  events: records('events', ['player', 'delivery']),
  audit: records('audit', ['admin', 'role', 'stepUp']),
  logs: records('logs', ['stack', 'gameAgent']),
  health: records(
    'health',
    ['stack', 'gameAgent', 'backup'],
    [{ guide: 'health' }, { guide: 'health', heading: 'GET /metrics' }],
  ),
  queues: records('queues', ['delivery', 'modChange'], [{ guide: 'health' }]),
  backups: system(
    'backups',
    ['backup', 'world'],
    [{ guide: 'gameAgents', heading: 'Backups of the worlds' }],
  ),
  discord: community('discord', ['member', 'cluster']),
  settings: system('settings', ['stepUp']),
  secrets: system('secrets', ['stepUp', 'backup']),
  admins: system('admins', ['admin', 'role', 'stepUp']),
  roles: system('roles', ['role', 'admin']),
  apiKeys: system('apiKeys', ['admin', 'role'], [{ guide: 'problems' }]),
  license: system('license', ['hardwareId', 'gracePeriod', 'transfer']),
  computer: system('computer', ['stack', 'backup']),
  profile: main('profile', ['stepUp', 'role']),
  firstSteps: main('firstSteps', ['cluster', 'console', 'gameAgent'], [{ guide: 'gameAgents' }]),
  help: main('help', ['admin', 'stepUp'], [{ guide: 'problems' }]),
};
