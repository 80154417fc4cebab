import { reasons } from '#contracts/kernel/reasons.ts';
import type { ModProject } from '#contracts/mods/mods.ts';
import type { InstalledMod, ModsList } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { CheckFindings } from '../../kernel/database/stored-values.ts';
import { updateOf } from '../plan/choose-version.ts';
import { codeOf, distinctFaults, said, sourceTitles } from '../plan/plan-faults.ts';
import { otherLineFaults } from '../plan/read-wishes.ts';
import {
  isSourceFailure,
  type ModSourceClient,
  type ModSources,
  type ModTarget,
  type SourceFailure,
  type SourceVersion,
  serves,
} from '../sources/mod-source.ts';

interface CheckedServer {
  readonly game: GameId;
  readonly list: ModsList;
  /** Keys of mods that keep their version. */
  readonly pinned: ReadonlySet<string>;
}

type Fault = CheckFindings['faults'][number];

/** How many requests for the versions of projects run at the same time. */
const mostAtOnce = 4;

/**
 * What sources know about a server's mods. When one does not answer, earlier findings from it stay and the faults say so: a
 * missing answer never removes an update.
 */
export const lookForUpdates = async (
  server: CheckedServer,
  sources: ModSources,
  before: CheckFindings | null,
  signal: AbortSignal,
): Promise<CheckFindings> => {
  const target: ModTarget = { game: server.game, ...server.list };
  const parts: CheckFindings[] = [];
  // One by one: the client counts a source's limits, and nothing waits for this.
  for (const source of Object.values(sources))
    if (serves(source.source, server.game))
      parts.push(await askSource(source, server, target, before, signal));
  return {
    updates: Object.assign({}, ...parts.map(({ updates }) => updates)),
    projects: Object.assign({}, ...parts.map(({ projects }) => projects)),
    known: Object.assign({}, ...parts.map(({ known }) => known)),
    faults: distinctFaults(parts.flatMap(({ faults }) => faults)),
  };
};

const askSource = async (
  client: ModSourceClient,
  { list, pinned }: CheckedServer,
  target: ModTarget,
  before: CheckFindings | null,
  signal: AbortSignal,
): Promise<CheckFindings> => {
  const installed = list.installed.filter(
    ({ source, project }) => source === client.source && project !== null,
  );
  const faults: Fault[] = [];
  const failed = (answer: SourceFailure) => {
    faults.push(
      said(codeOf(answer), { detail: reasons['mods-updates-unknown'](sourceTitles[client.source]) }),
    );
  };
  const updates = await findUpdates(client, installed, { target, pinned, before, failed, faults, signal });
  const known = await identify(client, list, { target, before, failed, signal });
  const projects: Record<string, ModProject> = {};
  const answer =
    installed.length === 0
      ? []
      : await client.projects([...new Set(installed.map(({ project }) => project ?? ''))], signal);
  if (isSourceFailure(answer)) failed(answer);
  for (const { key, project } of installed) {
    const facts = isSourceFailure(answer)
      ? before?.projects[key]
      : (answer.find(({ id }) => id === project) ?? before?.projects[key]);
    if (facts) projects[key] = facts;
  }
  return { updates, projects, known, faults };
};

interface Search {
  readonly target: ModTarget;
  readonly pinned: ReadonlySet<string>;
  readonly before: CheckFindings | null;
  readonly failed: (answer: SourceFailure) => void;
  readonly faults: Fault[];
  readonly signal: AbortSignal;
}

const findUpdates = async (
  client: ModSourceClient,
  installed: readonly InstalledMod[],
  { target, pinned, before, failed, faults, signal }: Search,
): Promise<CheckFindings['updates']> => {
  const updates: Record<string, CheckFindings['updates'][string]> = {};
  const keep = ({ key, version }: InstalledMod) => {
    const earlier = before?.updates[key];
    // Only for the installed version: after an update, the update found earlier no longer applies.
    if (earlier?.from === version) updates[key] = earlier;
  };
  const found: { readonly mod: InstalledMod; readonly versions: readonly SourceVersion[] }[] = [];
  const queue = installed.filter(({ key }) => !pinned.has(key));
  const ask = async (mod: InstalledMod) => {
    const versions = await client.versions(mod.project ?? '', target, signal);
    if (versions === null) return;
    if (isSourceFailure(versions)) {
      failed(versions);
      keep(mod);
    } else found.push({ mod, versions });
  };
  const worker = async () => {
    for (let mod = queue.shift(); mod; mod = queue.shift()) await ask(mod);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, worker));

  // One for another game version or loader is not among those that fit, and may be ahead of them.
  const strangers = found.flatMap(({ mod, versions }) =>
    mod.version !== null && !versions.some(({ id }) => id === mod.version) ? [mod.version] : [],
  );
  const others = strangers.length === 0 ? [] : await client.versionsById(strangers, signal);
  if (isSourceFailure(others)) failed(others);
  for (const { mod, versions } of found) {
    const { key, version } = mod;
    const isStranger = version !== null && strangers.includes(version);
    if (isStranger && isSourceFailure(others)) {
      keep(mod);
      continue;
    }
    const known = isSourceFailure(others) ? versions : [...versions, ...others];
    const current = known.find(({ id }) => id === version) ?? null;
    const next = updateOf(version, current, versions, mod.versionName);
    if (next) updates[key] = { from: version, version: next.id, name: next.name, isByHand: next.isByHand };
    faults.push(...otherLineFaults(mod, current, versions));
  }
  return updates;
};

const identify = async (
  client: ModSourceClient,
  { found }: ModsList,
  { target, before, failed, signal }: Omit<Search, 'pinned' | 'faults'>,
): Promise<CheckFindings['known']> => {
  const files = found.filter(({ sha512 }) => sha512 !== null);
  if (files.length === 0) return {};
  const kept = (): CheckFindings['known'] =>
    Object.fromEntries(
      files.flatMap(({ sha512 }) => {
        const earlier = sha512 === null ? undefined : before?.known[sha512];
        return sha512 !== null && earlier?.project.source === client.source ? [[sha512, earlier]] : [];
      }),
    );
  const identified = await client.identify(target.game, files, signal);
  if (isSourceFailure(identified)) {
    failed(identified);
    return kept();
  }
  const byHash = new Map<string, SourceVersion>();
  for (const { path, sha512 } of files) {
    const version = identified.get(path);
    if (version && sha512 !== null) byHash.set(sha512, version);
  }
  if (byHash.size === 0) return {};
  const projects = await client.projects(
    [...new Set([...byHash.values()].map(({ project }) => project))],
    signal,
  );
  if (isSourceFailure(projects)) {
    failed(projects);
    return kept();
  }
  return Object.fromEntries(
    [...byHash].flatMap(([sha512, { id, name, project, file }]) => {
      const facts = projects.find((one) => one.id === project);
      return facts ? [[sha512, { project: facts, version: id, versionName: name, file }]] : [];
    }),
  );
};
