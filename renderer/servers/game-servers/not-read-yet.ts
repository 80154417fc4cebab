import { reasonOf } from '#contracts/kernel/reasons.ts';
import type { GameServerStatus } from '#contracts/servers/game-servers.ts';

/** Its state is unknown only because it has not answered since the API started, and is being asked. */
export const isNotReadYet = ({
  shown,
  outcome,
  answeredAt,
  detail,
}: Pick<GameServerStatus, 'shown' | 'outcome' | 'answeredAt' | 'detail'>): boolean => {
  if (shown !== 'unknown' || outcome !== null || answeredAt !== null) return false;
  const code = reasonOf(detail)?.code;
  return code === 'status-connecting' || code === 'status-not-asked';
};
