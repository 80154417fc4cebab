import type { PageName } from '../navigation.ts';

/** The letter that follows `g` to go to a page. */
export const pageKeys: Readonly<Record<PageName, string>> = {
  overview: 'o',
  servers: 's',
  clusters: 'c',
  players: 'p',
  agents: 'a',
  events: 'e',
  audit: 'u',
  logs: 'l',
  health: 'h',
  backups: 'b',
  settings: 't',
  secrets: 'x',
  admins: 'd',
  roles: 'r',
  apiKeys: 'k',
  license: 'i',
  computer: 'w',
  profile: 'm',
  firstSteps: 'f',
};
