import { type Ban, bansHttp } from '#contracts/people/bans.ts';
import type { Can } from '../../kit/access/can.ts';
import { useChange } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { offerUndo } from '../../kit/design/offer-undo.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { bansWords } from './bans.words.ts';

/** The endpoints that show bans. */
export const rereadBans = [bansHttp.list, bansHttp.read];

/** Lifts a ban once it is confirmed; for a while afterwards one click can undo that. */
export const UnbanDialog = ({ ban, onClose }: { readonly ban: Ban; readonly onClose: () => void }) => {
  const words = useWords(bansWords);
  const lift = useChange(bansHttp.lift, rereadBans);
  const { id, playerName } = ban;
  return (
    <ConfirmAction
      title={words.unbanTitle(playerName)}
      act={words.unban}
      onAction={async () => {
        await lift.mutateAsync({ params: { id }, body: {} });
        offerUndo({
          id: `unbanned-${id}`,
          done: words.unbanned(playerName),
          undone: words.undone(playerName),
          undo: () => sendChange(bansHttp.restore, { params: { id }, body: {} }),
          stale: rereadBans,
        });
      }}
      onClose={onClose}
    >
      {words.unbanText}
    </ConfirmAction>
  );
};

/** Whether this person may lift a ban, or reinstate it. */
export const mayChangeBan = (can: Can, { isEverywhere, serverIds, playerId }: Ban): boolean =>
  playerId !== null &&
  (can('players.write') || (!isEverywhere && serverIds.every((id) => can('players.write', id))));
