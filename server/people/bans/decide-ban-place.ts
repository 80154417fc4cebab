import type { CommandResult } from '#contracts/servers/games.ts';
import type { Verdict } from '#games/game.ts';
import type { Tables } from '../../kernel/database/tables.ts';

type Known = 'never' | 'unsure' | 'banned' | 'free';

export interface SentBan {
  readonly change: NonNullable<Tables['ban_places']['change']>;
  /** What was known before the command was sent. */
  readonly known: Known;
  readonly certainty: Tables['ban_places']['certainty'];
  /** Null: no one can tell how it ended. */
  readonly result: Pick<CommandResult, 'outcome' | 'sent' | 'logLine'> | null;
  /** What the reply proves; null without a reply. */
  readonly verdict: Verdict['verdict'] | null;
}

interface BanDecision {
  readonly known: Known;
  readonly certainty: Tables['ban_places']['certainty'];
  /**
   * What to do while the wanted state differs from the known one.
   * - `at-once`: the reply counts, and anything more is news
   * - `rest`: the command never left
   * - `back-off`: it was refused, or may have been lost
   */
  readonly next: 'at-once' | 'rest' | 'back-off';
  readonly isRefused: boolean;
  readonly isLost: boolean;
}

/** What a reply says about the ban on a server. Banning twice equals banning once, and so does lifting: what was lost is sent again. */
export const decideBanPlace = ({ change, known, certainty, result, verdict }: SentBan): BanDecision => {
  const kept = { known, certainty };
  const done = (sure: 'proven' | 'unconfirmed'): BanDecision => ({
    known: change === 'ban' ? 'banned' : 'free',
    certainty: sure,
    next: 'at-once',
    isRefused: false,
    isLost: false,
  });
  if (result?.outcome === 'answered' && verdict !== null) {
    if (verdict === 'done') return done('proven');
    if (verdict === 'unproven') return done('unconfirmed');
    return { ...kept, next: 'back-off', isRefused: true, isLost: false };
  }
  if (result && !result.sent) return { ...kept, next: 'rest', isRefused: false, isLost: false };
  if (result?.logLine !== undefined) return done('unconfirmed');
  return { known: 'unsure', certainty: null, next: 'back-off', isRefused: false, isLost: true };
};
