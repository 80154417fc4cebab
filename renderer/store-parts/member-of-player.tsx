import { membersHttp } from '#contracts/members.ts';
import { AsyncContent } from '../design/async-content.tsx';
import { useRead } from '../wire/queries.ts';
import { MemberLink } from './member-link.tsx';
import { usePoints } from './use-points.ts';

/** The player's member and balance, for readers who may see members. */
export const MemberOfPlayer = ({ playerId }: { readonly playerId: string }) => {
  const { points } = usePoints();
  const member = useRead(membersHttp.ofPlayer, { params: { id: playerId } });
  return (
    <AsyncContent read={member}>
      {({ id, name, balance }) => (
        <>
          <MemberLink id={id} name={name} /> · {points(balance)}
        </>
      )}
    </AsyncContent>
  );
};
