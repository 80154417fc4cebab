import type { ActorKind } from '#contracts/kernel/audit.ts';
import type { ModProject, PlanFault } from '#contracts/mods/mods.ts';
import type { ModFile, ModItem, ModsList } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { ServerSaves } from '#contracts/servers/saves.ts';
import type { ShopAmount } from '#contracts/storefronts/shop-webhooks.ts';

/**
 * What an event says about its order.
 * - `paid`: what was bought
 * - `refunded`: all of it
 * - `part-refunded`: some of it
 * - `disputed`, `dispute-won`, `dispute-lost`: about one dispute
 * - `nothing`: kept without consequences
 */
export type ShopEventKind =
  | 'paid'
  | 'refunded'
  | 'part-refunded'
  | 'disputed'
  | 'dispute-won'
  | 'dispute-lost'
  | 'nothing';

export interface OutsideLine {
  readonly product: string;
  readonly quantity: number;
}

/** The receiver as named by the shop. `text`: typed by a person, so it may be any of the others. */
export interface NamedReceiver {
  readonly kind: 'id' | 'name' | 'member' | 'text';
  readonly text: string;
  /** Null: the shop's game. */
  readonly game: GameId | null;
}

/** What is kept of an event. The buyer's name, mail, address and payment are not. */
export interface ShopFacts {
  readonly kind: ShopEventKind;
  /** For `paid`: the shop's id of the order. */
  readonly orderId?: string;
  readonly lines?: readonly OutsideLine[];
  readonly receiver?: NamedReceiver | null;
  /** Its lines have different receivers. */
  readonly hasSeveralReceivers?: boolean;
  readonly amount?: ShopAmount | null;
  /** Events of its refunds and disputes contain nothing that leads to it, unless another event names its payment. */
  readonly hidesRefunds?: boolean;
  /** Paid in the shop's test mode: no money. Absent: real. */
  readonly isTest?: true;
  /** For `part-refunded`: the total refunded so far; without lines the shop does not say which. */
  readonly refunded?: number;
  readonly disputeId?: string;
}

/** What a person has decided about a reason. */
export type ShopDecision = 'give' | 'set-aside';

/** A line that was given: one key of the shop can map to several products. */
export interface GivenLine {
  readonly key: string;
  readonly productId: string;
  readonly quantity: number;
  /** Pieces of the shop's product. */
  readonly bought: number;
  /** How many of them were refunded before the order was given, and so were not given. */
  readonly leftOut: number;
}

/** What the first server of a wave has after its job: once it is proven, the others get exactly this. */
export interface ProvenSet extends Pick<ModsList, 'loader' | 'gameVersion'> {
  /** By mod key. */
  readonly mods: Readonly<Record<string, ProvenMod>>;
}

interface ProvenMod extends Pick<ModItem, 'version' | 'versionName'> {
  /** The hashes of its file. */
  readonly hashes: { readonly sha512?: string | undefined; readonly sha1?: string | undefined };
}

export interface CheckFindings {
  /** By mod key. */
  readonly updates: Readonly<
    Record<
      string,
      {
        readonly from: string | null;
        readonly version: string;
        readonly name: string;
        readonly isByHand: boolean;
      }
    >
  >;
  /** By mod key. */
  readonly projects: Readonly<Record<string, ModProject>>;
  /** Foreign files, by their sha512. */
  readonly known: Readonly<
    Record<
      string,
      {
        readonly project: ModProject;
        readonly version: string;
        readonly versionName: string;
        readonly file: ModFile | null;
      }
    >
  >;
  /** Sources that could not be asked: what is known from them dates from an earlier check. */
  readonly faults: readonly PlanFault[];
}

/** What is posted next, as first composed. */
export interface PostContent {
  /** Null: the lines are from several players. */
  readonly speaker: { readonly discordId: string | null } | null;
  readonly lines: readonly { readonly serverId: string; readonly name: string; readonly text: string }[];
}

export type SavesList = Omit<NonNullable<ServerSaves['list']>, 'at'>;

/** The person who requested a run, so that its end is audited under the same name. */
export interface Requester {
  readonly kind: ActorKind;
  readonly id: string;
  readonly name: string;
  readonly address: string;
}
