/** A program of the checkout with its arguments, run by the same Node. */
type Command = readonly [script: string, ...args: string[]];

/** One part of the nightly tier; each takes less than 90 minutes on two cores. */
export interface Part {
  readonly name: string;
  readonly summary: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Run one after another; the part fails when one fails, after the others have run. */
  readonly commands: (seed: number) => readonly Command[];
  /** A shell script that prepares the machine, once. */
  readonly prepare?: readonly string[];
}

const vitest = (...args: string[]): Command => ['node_modules/vitest/vitest.mjs', 'run', ...args];
/** The tests of a folder of this one. */
const testsIn = (folder: string): Command => vitest('--project', 'nightly', `tests/nightly/${folder}`);

/** What each kind of bench may lose against the ratios that are kept in `kept-ratios.json`. */
const bench = (...args: string[]): Command => ['tests/nightly/compare-ratios.ts', ...args];

export const parts: readonly Part[] = [
  {
    name: 'looks',
    summary: 'every page and everything that opens over it: dark, on a phone, in Portuguese, for axe',
    variables: { CASTELLAN_TEST_LOOKS: 'every' },
    commands: () => [
      vitest('--project', 'browser', '--project', 'nightly', 'tests/browser', 'tests/nightly/looks'),
    ],
  },
  {
    name: 'shift',
    summary: 'how far pages move while they open and while live data arrives',
    commands: () => [testsIn('shift')],
  },
  {
    name: 'kills',
    summary: 'random kills and freezes of the API, agents, games, the bot and Postgres',
    variables: { CASTELLAN_TEST_KILLS: 'every' },
    commands: () => [
      testsIn('kills'),
      vitest('--project', 'units*', '--project', 'integration', '--tags-filter', 'night || kills'),
    ],
  },
  {
    name: 'faults',
    summary:
      'sells and delivers, and lets players buy, while everything is killed or stopped, members are merged and answers are lost',
    commands: (seed) => [
      ['tests/faults/main.ts', '--deliveries', '600', '--kills', '20', '--seed', `${seed}`],
      ['tests/storefront/main.ts', '--seed', `${seed}`],
    ],
  },
  {
    name: 'outside',
    summary: 'an authority that only the system trusts: desktop, service and command line reach everything',
    commands: () => [testsIn('outside')],
  },
  {
    name: 'states',
    summary:
      'twenty situations, and what overview, badge, tray, health, castellan status and Discord say of them',
    commands: () => [testsIn('states')],
  },
  {
    name: 'canary',
    summary: 'that no secret appears anywhere, by every endpoint and every caller',
    commands: () => [testsIn('canary')],
  },
  {
    name: 'fuzz',
    summary:
      'that no hostile request fails inside the API or the portal, and no reader at the corpora changed 100,000 times',
    variables: { CASTELLAN_TEST_KILLS: 'every' },
    commands: () => [testsIn('fuzz'), vitest('--project', 'units', 'tests/corpus')],
  },
  {
    name: 'access',
    summary: 'every caller at every route: who is let in, and what a right for one server shows of others',
    commands: () => [testsIn('access')],
  },
  {
    name: 'load',
    summary: 'a thousand agents, long lists and large files',
    commands: () => [testsIn('load')],
  },
  {
    name: 'proxies',
    summary: 'nginx, Caddy, Apache and HAProxy in front of the panel, and a real mail server',
    prepare: ['build/setup-test.sh', '--night'],
    commands: () => [testsIn('proxies')],
  },
  {
    name: 'servers',
    summary: 'a Minecraft server with real clients, and consoles, that others wrote',
    prepare: ['build/setup-test.sh', '--night'],
    commands: () => [testsIn('servers')],
  },
  {
    name: 'desktop',
    summary: 'the desktop in a real Electron: first run, wizard, data folder, network, updates',
    commands: () => [testsIn('desktop')],
  },
  {
    name: 'packages',
    summary: 'what customers install: the Debian package, the AppImage folder, the portal, the agents',
    commands: () => [testsIn('packages')],
  },
  {
    name: 'windows',
    summary: 'the Windows programs, the installer and the services in the Windows lab',
    prepare: ['build/setup-test.sh', '--night'],
    commands: () => [testsIn('windows')],
  },
  {
    name: 'benches',
    summary: 'benches against kept ratios',
    commands: () => [bench()],
  },
  {
    name: 'mutants',
    summary: 'planted faults: those that the tests moved here catch must be caught by their siblings',
    commands: (seed) => [
      [
        'tests/bench/main.ts',
        'mutants',
        '--pairs',
        'tests/nightly/moved.json',
        '--count',
        '40',
        '--seed',
        `${seed}`,
      ],
    ],
  },
];
