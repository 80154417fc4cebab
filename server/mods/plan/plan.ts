import type { ChangeWish, ModSet, ModSourceState, ModsPlan } from '#contracts/mods/mods.ts';
import type { InspectedMod, ModFile, ModsChange, ModsList } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { ProvenSet } from '../../kernel/database/stored-values.ts';
import type { ModSources } from '../sources/mod-source.ts';

/** The server whose mods are to change, as its agent last reported it. */
export interface PlanSubject {
  readonly game: GameId;
  readonly list: ModsList;
  /** By mod key. */
  readonly pins: ReadonlyMap<string, { readonly reason: string }>;
  /** Keys of mods that came along with others. */
  readonly dependencies: ReadonlySet<string>;
  /** The person who asks, for display. */
  readonly byName: string;
  /** For a later server of a wave: nothing else may be put there; null: the newest versions. */
  readonly proven: ProvenSet | null;
}

/** What wishes may name, looked up by id; null: not found. */
export interface PlanMaterials {
  readonly sources: ModSources;
  upload(id: string): Promise<{
    readonly file: ModFile;
    readonly sha1: string;
    readonly content: InspectedMod['content'];
  } | null>;
  set(id: string): Promise<Pick<ModSet, 'name' | 'items'> | null>;
  /** What restores the set from before that job. */
  before(job: string): Promise<Pick<ModsChange, 'put' | 'remove'> | null>;
  /** The agent downloads the file and inspects it. */
  inspect(file: ModFile): Promise<InspectedMod | { readonly why: string; readonly hasLooked?: boolean }>;
}

/** What the agent will be asked to do, and what people are shown of it. */
export interface PlannedChange
  extends Pick<ModsChange, 'put' | 'remove' | 'adopt'>,
    Pick<ModsPlan, 'lines' | 'faults' | 'downloadBytes' | 'unneeded'> {
  /** Sources that did not answer: their wishes are among the blocking faults. */
  readonly sources: readonly ModSourceState[];
}

/** Resolves wishes with all their dependencies, before anything is downloaded for them. */
export type PlanChange = (
  subject: PlanSubject,
  wishes: readonly ChangeWish[],
  materials: PlanMaterials,
  signal: AbortSignal,
) => Promise<PlannedChange>;
