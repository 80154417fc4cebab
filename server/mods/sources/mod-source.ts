import type { ModProject, ModSourceState, ModVersion } from '#contracts/mods/mods.ts';
import type { FoundMod, ModFile, ModForm, ModLoader } from '#contracts/servers/agent-mods.ts';
import { type GameId, games } from '#contracts/servers/games.ts';

/** The maximum number of rows in one search answer, and the distance between pages. */
export const searchPageSize = 20;

/** What fits a server. */
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

/** A version with what an install needs. */
export interface SourceVersion extends ModVersion {
  readonly project: string;
  /** Null where the game downloads it by its id; its hashes are those the source gives. */
  readonly file: ModFile | null;
  readonly form: ModForm;
  readonly dependencies: readonly SourceDependency[];
}

/** `state` is never `ok`. A failure says nothing about what exists. */
export interface SourceFailure {
  readonly failed: ModSourceState;
}

export const isSourceFailure = (answer: object | null): answer is SourceFailure =>
  answer !== null && 'failed' in answer;

/** One interface for all sources of mods. It respects the source's limits by itself and retries failed requests. */
export interface ModSourceClient {
  readonly source: 'modrinth' | 'curseforge' | 'steam';
  search(
    target: ModTarget,
    query: { readonly text: string; readonly offset: number },
    signal: AbortSignal,
  ): Promise<{ readonly rows: readonly ModProject[]; readonly total: number } | SourceFailure>;
  /** The ones that exist; the answer leaves out those that are gone. */
  projects(ids: readonly string[], signal: AbortSignal): Promise<readonly ModProject[] | SourceFailure>;
  /** The ones that fit, newest first; null: the project does not exist. */
  versions(
    project: string,
    target: ModTarget,
    signal: AbortSignal,
  ): Promise<readonly SourceVersion[] | SourceFailure | null>;
  /** By id; the answer leaves out those that are gone. */
  versionsById(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly SourceVersion[] | SourceFailure>;
  /** Which of this game's files it knows, by their hashes; the key is the file's path. */
  identify(
    game: GameId,
    files: readonly FoundMod[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, SourceVersion> | SourceFailure>;
}

export type ModSources = Readonly<Record<ModSourceClient['source'], ModSourceClient>>;

/** Whether the source has mods for the game at all. */
export const serves = (source: ModSourceClient['source'], game: GameId): boolean => {
  const sources: readonly ModSourceClient['source'][] = games[game].modSources;
  return sources.includes(source);
};
