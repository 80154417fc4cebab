import { type MemberDetails, membersHttp } from '#contracts/people/members.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { notifyDone } from '../../kit/design/notify.ts';
import { offerUndo } from '../../kit/design/offer-undo.tsx';

/** The endpoints whose data a merge, or undoing it, changes. */
export const staleByMerge = [
  membersHttp.read,
  membersHttp.search,
  membersHttp.ledger,
  membersHttp.ofPlayer,
  ordersHttp.list,
];

/** Says that two members are merged, with an undo button. */
export const sayMerged = (
  member: MemberDetails,
  says: { readonly done: string; readonly undone: string },
): void => {
  // The newest comes first.
  const merge = member.merges.find(({ undoneAt }) => undoneAt === null);
  if (!merge) {
    notifyDone(says.done);
    return;
  }
  const params = { id: member.id, mergeId: merge.id };
  offerUndo({
    ...says,
    id: `merge-${merge.id}`,
    undo: () => sendChange(membersHttp.undoMerge, { params, body: {} }),
    stale: staleByMerge,
  });
};
