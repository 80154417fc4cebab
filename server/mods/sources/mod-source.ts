import type { FoundMod, ModFile, ModForm, ModLoader } from '#contracts/agent-mods.ts';
import type { GameId } from '#contracts/games.ts';
import type { ModProject, ModSourceState, ModVersion } from '#contracts/mods.ts';

/** Rows of one answer of a search, at most; the next page begins so many further. */
export const searchPageSize = 20;

/** What a server takes. */
export interface ModTarget {
  readonly game: GameId;
  readonly loader: ModLoader | null;
  readonly gameVersion: string | null;
  readonly forms: readonly ModForm[];
}

export interface SourceDependency {
  readonly kind: 'required' | 'optional' | 'incompatible' | 'embedded';
  /** Null: only a version is named. */
  readonly project: string | null;
  readonly version: string | null;
}

/** A version with what an installation needs. */
export interface SourceVersion extends ModVersion {
  readonly project: string;
  /** Null where the game downloads it by its id; its hashes are those that the source gives. */
  readonly file: ModFile | null;
  readonly form: ModForm;
  readonly dependencies: readonly SourceDependency[];
}

/** `state` is never `ok`. Nothing follows from it about what there is. */
export interface SourceFailure {
  readonly failed: ModSourceState;
}

export const isSourceFailure = (answer: object | null): answer is SourceFailure =>
  answer !== null && 'failed' in answer;

/** A source of mods behind one interface. It honours the source's limits by itself; answers of a failure are tried again. */
export interface ModSourceClient {
  readonly source: 'modrinth' | 'curseforge' | 'steam';
  /** Whether it has mods for this game at all. */
  serves(game: GameId): boolean;
  search(
    target: ModTarget,
    query: { readonly text: string; readonly offset: number },
    signal: AbortSignal,
  ): Promise<{ readonly rows: readonly ModProject[]; readonly total: number } | SourceFailure>;
  /** Those that are there; one that is gone is missing in the answer. */
  projects(ids: readonly string[], signal: AbortSignal): Promise<readonly ModProject[] | SourceFailure>;
  /** Those that fit, the newest first; null: there is no such project. */
  versions(
    project: string,
    target: ModTarget,
    signal: AbortSignal,
  ): Promise<readonly SourceVersion[] | SourceFailure | null>;
  /** By ids; one that is gone is missing in the answer. */
  versionsById(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly SourceVersion[] | SourceFailure>;
  /** Which of these files it knows, by their hashes; the key is the file's path. */
  identify(
    files: readonly FoundMod[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, SourceVersion> | SourceFailure>;
}
