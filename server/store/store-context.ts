import type { EventEmitter } from 'node:events';
import type { Kysely } from 'kysely';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { CommandResult, GameId } from '#contracts/servers/games.ts';
import type { DeliveryRoutes } from '../kernel/commands/console-router.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { Refusal } from '../kernel/http/refusal.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Settings } from '../operations/settings.ts';
import type { AgentTasks } from '../servers/agent-tasks.ts';
import type { PresentPlayer, TargetServer } from './deliveries/delivery-targets.ts';
import type { DeliveryTiming } from './deliveries/delivery-timing.ts';

/** One of a member's players. */
export interface OwnPlayer {
  readonly name: string;
  readonly platformId: string | null;
  /** Where they were first seen; one platform account may play several games. */
  readonly game: GameId;
}

/** What the store announces to those who give roles in Discord. */
export interface StoreNews {
  /** Someone may be owed a role, or owe one back. */
  rolesDue: [];
  /** Something has ended that may be a role: what may be given is compared again. */
  rolesEnded: [];
}

/** What the store is built with: made once for each API process. */
export interface StoreContext extends Kernel {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly settings: Pick<Settings, 'values'>;

  /** The servers in use. */
  readonly servers: {
    all(): readonly TargetServer[];
    subscribe(listener: (gone: readonly string[]) => void): () => void;
  };
  readonly statusOf: (serverId: string) => { readonly state: string };
  readonly ways: DeliveryRoutes;
  /** What agents are asked for. */
  readonly tasks: Pick<AgentTasks, 'run' | 'machineOf'>;
  /** Says a line in a game's chat. */
  readonly say: (serverId: string, text: string) => Promise<boolean>;
  /** The status of servers was checked again. */
  readonly onSweep: (listener: () => void) => unknown;
  /** A Game Agent's result that no caller waits for any more. */
  readonly onLateResult: (
    listener: (serverId: string, commandId: string, result: CommandResult) => Promise<void>,
  ) => void;

  /** People: who is on a server. */
  readonly presence: { openSessions(): readonly PresentPlayer[] };
  /** Players are known to be on a server, as they were not before. */
  readonly onPlayersPresent: (listener: (playerIds: readonly string[]) => void) => void;
  readonly members: {
    /** Locks members against merging and erasing until the transaction ends; refuses merged and erased ones. */
    hold(trx: Kysely<Tables>, ids: readonly string[]): Promise<Refusal | null>;
    read(id: string): Promise<MemberDetails | Refusal>;
    ofDiscord(discordId: string): Promise<MemberDetails | null>;
  };
  readonly memberNames: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Most recently seen first. */
  readonly playersOf: (memberId: string) => Promise<readonly OwnPlayer[]>;

  /** Discord: why these roles are never given, by their ids; unknown ones are left out. */
  readonly roleFaults: (
    db: Kysely<Tables>,
    roleIds: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>;
  /** Tries soon what Discord refused to do for this delivery. */
  readonly retryRole: (deliveryId: string) => Promise<void>;
  readonly news: EventEmitter<StoreNews>;

  /** Other times than usual. */
  readonly timing?: Partial<DeliveryTiming> | undefined;
}
