import type { ReasonCode } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { DeliveryWait } from '#contracts/store/deliveries.ts';
import type { DeliveryRow } from './delivery-rows.ts';

/** A game server in use. */
export interface TargetServer {
  readonly id: string;
  readonly clusterId: string;
  readonly game: GameId;
}

/** A player known to be on a server. */
export interface PresentPlayer {
  readonly serverId: string;
  readonly playerId: string;
  readonly name: string;
  /** Empty if unknown. */
  readonly handle: string;
  /** False while the server's list of players is uncertain. */
  readonly isCertain: boolean;
}

/** One of the member's players, on a server. */
export interface MemberPlayer extends PresentPlayer {
  readonly platformId: string | null;
}

export interface Target {
  readonly serverId: string;
  /** Null if no player is needed. */
  readonly player: MemberPlayer | null;
}

export type Step =
  | { readonly delivery: DeliveryRow; readonly target: Target }
  /** Nothing was tried: the player or the server is away, or no server in use fits. */
  | ({ readonly delivery: DeliveryRow } & Waiting);

interface Waiting {
  readonly waitsFor: Extract<DeliveryWait, 'player' | 'server'>;
  readonly why: Extract<ReasonCode, 'player-away' | 'server-away' | 'no-server'>;
}

export interface PlanFacts {
  /** In the order of purchase. */
  readonly open: readonly DeliveryRow[];
  /** The member's players who are online. */
  readonly present: readonly MemberPlayer[];
  readonly servers: readonly TargetServer[];
  readonly isOpen: (serverId: string) => boolean;
  /** Servers on which this member has a delivery in flight. */
  readonly busy: ReadonlySet<string>;
  readonly nowMs: number;
}

export const needsPlayer = ({ line }: Pick<DeliveryRow, 'line'>): boolean =>
  line.kind === 'item' || (line.kind === 'command' && line.needsPlayer);

/** Whether a delivery may be given on a server. */
export const fits = (
  delivery: Pick<DeliveryRow, 'game' | 'cluster_ids' | 'server_ids'>,
  server: TargetServer,
): boolean =>
  server.game === delivery.game &&
  ((delivery.cluster_ids.length === 0 && delivery.server_ids.length === 0) ||
    delivery.cluster_ids.includes(server.clusterId) ||
    delivery.server_ids.includes(server.id));

/**
 * The next steps for one member: on each server the oldest delivery that fits it, and what the others wait for. A delivery
 * that rests before its retry blocks later ones on its own server only.
 */
export const planDeliveries = (facts: PlanFacts): Step[] => {
  const taken = new Set(facts.busy);
  for (const { state, server_id } of facts.open) if (state === 'sending' && server_id) taken.add(server_id);
  const steps: Step[] = [];
  for (const delivery of facts.open) {
    if (delivery.state === 'sending') continue;
    if (delivery.expires_at && delivery.expires_at.getTime() <= facts.nowMs) continue;
    const found = targetOf(delivery, facts);
    if ('why' in found) {
      steps.push({ delivery, ...found });
      continue;
    }
    const { serverId } = found;
    if (taken.has(serverId)) continue;
    taken.add(serverId);
    if (!isResting(delivery, facts.nowMs)) steps.push({ delivery, target: found });
  }
  return steps;
};

/** A delivery that waits for a server goes as soon as there is one, unless an attempt set a back-off. */
const isResting = ({ next_try_at, waits_for, attempts }: DeliveryRow, nowMs: number): boolean =>
  next_try_at.getTime() > nowMs && !(waits_for === 'server' && attempts === 0);

const playerAway: Waiting = { waitsFor: 'player', why: 'player-away' };
const serverAway: Waiting = { waitsFor: 'server', why: 'server-away' };
const noServer: Waiting = { waitsFor: 'server', why: 'no-server' };

const targetOf = (delivery: DeliveryRow, { present, servers, isOpen }: PlanFacts): Target | Waiting => {
  const askedFirst = servers.toSorted(firstOn(delivery.asking_server_id));
  const fitting = askedFirst.filter((server) => fits(delivery, server));
  if (fitting.length === 0) return noServer;
  if (!needsPlayer(delivery)) {
    const server = fitting.find(({ id }) => isOpen(id));
    return server ? { serverId: server.id, player: null } : serverAway;
  }
  const there = receiversOf(delivery, present).filter(({ serverId }) =>
    fitting.some(({ id }) => id === serverId),
  );
  const player = there.find(({ serverId, isCertain }) => isCertain && isOpen(serverId));
  if (player) return { serverId: player.serverId, player };
  return there.some(({ isCertain }) => isCertain) || !fitting.some(({ id }) => isOpen(id))
    ? serverAway
    : playerAway;
};

/**
 * Who may receive it, the first choice first. As long as the player who bought it by chat is on any server, no other one
 * does, even while that server cannot be reached.
 */
const receiversOf = (
  { asking_player_id: playerId, asking_server_id: serverId }: DeliveryRow,
  present: readonly MemberPlayer[],
): readonly MemberPlayer[] => {
  const asking = present.filter((player) => player.playerId === playerId);
  const order = firstOn(serverId);
  return (asking.length > 0 ? asking : present).toSorted((one, other) =>
    order({ id: one.serverId }, { id: other.serverId }),
  );
};

/** Sorts what belongs to this server before the rest, which stays in its order. */
const firstOn =
  (serverId: string | null) =>
  (one: { readonly id: string }, other: { readonly id: string }): number =>
    Number(other.id === serverId) - Number(one.id === serverId);
