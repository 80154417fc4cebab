import type { Kysely } from 'kysely';
import type { AddressCheck } from '#contracts/operations/public-address.ts';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { ModerationReport } from '#contracts/people/players.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { Actor } from '../kernel/access/actor.ts';
import type { AuditContext } from '../kernel/access/audit-context.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { Refusal } from '../kernel/http/refusal.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Settings } from '../operations/settings.ts';
import type { Store } from '../store/store.ts';
import type { HeardLine } from './chat-commands/chat-line.ts';

type Outcome = MemberDetails | Refusal;

/** What the places where players buy are built with: made once for each API process. */
export interface StorefrontContext extends Kernel {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly settings: Pick<Settings, 'values'>;
  /** Whether an address leads to this API. */
  readonly checkAddress: (address: string, actor: Actor) => Promise<AddressCheck | Refusal>;
  /** The servers in use. */
  readonly servers: {
    get(id: string): { readonly id: string; readonly clusterId: string; readonly game: GameId } | null;
  };
  readonly store: Store;
  readonly members: {
    ofPlayer(playerId: string): Promise<Outcome>;
    ofDiscord(discordId: string): Promise<MemberDetails | null>;
    /** Locks members against merging and erasing until the transaction ends; refuses merged and erased ones. */
    hold(trx: Kysely<Tables>, ids: readonly string[]): Promise<Refusal | null>;
    linkCode(id: string, by: AuditContext): Promise<{ code: string; expiresAt: string } | Refusal>;
    takeCode(
      id: string,
      code: string,
      by: AuditContext,
    ): Promise<{ readonly keptId: string; readonly discordId: string; readonly username: string } | Refusal>;
    spendCode(code: string): Promise<void>;
    merge(id: string, mergedId: string, by: AuditContext, keptDiscordId: string): Promise<Outcome>;
  };
  readonly memberNames: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly whisper: (told: {
    readonly playerId: string;
    readonly serverId: string;
    readonly text: string;
    readonly secret?: string;
    readonly isPersonal?: boolean;
  }) => Promise<ModerationReport | Refusal>;
  /** Says a line in public chat. */
  readonly say: (serverId: string, text: string) => Promise<boolean>;
  readonly onSpoken: (listener: (lines: readonly HeardLine[]) => void) => void;
  /** Players are known to be on a server, as they were not before. */
  readonly onPlayersPresent: (listener: (playerIds: readonly string[]) => void) => void;
  /** How long players are newcomers on a server; by default, as the contract says. */
  readonly newcomerMs?: number | undefined;
}
