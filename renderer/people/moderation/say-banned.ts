import type { InWords } from '#contracts/kernel/words.ts';
import { type Ban, bansHttp } from '#contracts/people/bans.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { notifyDone } from '../../kit/design/notify.ts';
import { offerUndo } from '../../kit/design/offer-undo.tsx';
import type { bansWords } from './bans.words.ts';
import { rereadBans } from './unban.tsx';

/** The clocks of the panel and the API may differ by this much. */
const clockMs = 5000;

/** A repeated ban changes the reason and the end: lifting it would undo more than was just done. */
export const isNewBan = ({ bannedAt }: Pick<Ban, 'bannedAt'>, askedMs: number): boolean =>
  Date.parse(bannedAt) >= askedMs - clockMs;

export const liftBan = (id: string): Promise<unknown> =>
  sendChange(bansHttp.lift, { params: { id }, body: {} });

/** Says that a player is banned, with an undo button if the ban is new. */
export const sayBanned = (told: {
  readonly ban: Ban;
  readonly name: string;
  /** By the API's clock, before the request. */
  readonly askedMs: number;
  readonly words: InWords<(typeof bansWords)['en']>;
}): void => {
  const { ban, name, askedMs, words } = told;
  if (!isNewBan(ban, askedMs)) {
    notifyDone(words.banned(name));
    return;
  }
  offerUndo({
    id: `banned-${ban.id}`,
    done: words.banned(name),
    undone: words.banTakenBack(name),
    undo: () => liftBan(ban.id),
    stale: rereadBans,
  });
};
