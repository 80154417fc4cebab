import type { PageName } from '../navigation.ts';

/** The letter that follows `g` to go to a page. */
export const pageKeys: Readonly<Record<PageName, string>> = {
  overview: 'o',
  servers: 's',
  clusters: 'c',
  players: 'p',
  agents: 'a',
  store: 'v',
  orders: 'n',
  deliveries: 'y',
  desk: 'j',
  members: 'z',
  events: 'e',
  audit: 'u',
  logs: 'l',
  health: 'h',
  queues: 'q',
  backups: 'b',
  discord: 'g',
  settings: 't',
  secrets: 'x',
  admins: 'd',
  roles: 'r',
  apiKeys: 'k',
  license: 'i',
  computer: 'w',
  profile: 'm',
  firstSteps: 'f',
  // No letter is left.
  mods: '1',
  rewards: '2',
};
