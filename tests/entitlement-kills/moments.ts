import type { HeldDatabase } from '#harness/held-database.ts';
import type { Quirks } from '#simulators/quirks.ts';

/**
 * When the API is killed while it removes something.
 * - `unclaimed`: before the intent to send the command is stored
 * - `claimed`: the intent is stored, and nothing has been sent
 * - `ignored`: the command has reached the game, which does not carry it out
 * - `executed`: it was carried out but not answered
 * - `answered`: its answer has arrived but is not stored
 * - `stored`: the result is stored
 * - `bought-again`: there is nothing to remove, since a purchase has postponed the end a moment before
 */
export const moments = [
  'unclaimed',
  'claimed',
  'ignored',
  'executed',
  'answered',
  'stored',
  'bought-again',
] as const;
export type Moment = (typeof moments)[number];

/** Kills the API at the given moment of one command; all other commands are carried out. */
export const killAt = (
  moment: Exclude<Moment, 'bought-again'>,
  command: string,
  {
    database,
    quirks,
    kill,
  }: { readonly database: HeldDatabase; readonly quirks: Quirks; readonly kill: () => void },
): void => {
  let isExecuted = false;
  /** The transaction whose next commit is the moment. */
  let transaction: object | null = null;
  const isClaim = (text: string) => text.includes('update "entitlement_places"') && text.includes(command);
  const isEnd = (text: string) =>
    isExecuted && /update "?(?:entitlement_places|agent_commands)/.test(text) && text.includes('answered');
  const isStored = (text: string) => isEnd(text) && text.includes('entitlement_places');
  const isOne = {
    claimed: isClaim,
    stored: isStored,
    unclaimed: isClaim,
    answered: isEnd,
    ignored: null,
    executed: null,
  }[moment];
  const afterCommit = moment === 'claimed' || moment === 'stored';
  quirks.fateOf = (line) => {
    if (line !== command) return 'answer';
    isExecuted = moment !== 'ignored';
    if (moment === 'executed' || moment === 'ignored') kill();
    return moment === 'ignored' ? 'ignore' : 'answer';
  };
  database.watch((text, connection) => {
    if (afterCommit && connection === transaction && text.includes('commit')) return 'hold-answer';
    if (!isOne?.(text)) return 'pass';
    if (!afterCommit) return 'hold';
    transaction = connection;
    return 'pass';
  }, kill);
};
