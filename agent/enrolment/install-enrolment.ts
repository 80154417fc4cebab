import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { games } from '#contracts/servers/games.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { settingsText } from '#runtime/env.ts';
import { StartupError } from '#runtime/program.ts';
import { type AgentHome, isServerId } from '../configuration/agent-home.ts';
import { writeAgentKey } from '../configuration/agent-key.ts';
import { asOwnerOf } from '../configuration/as-owner.ts';
import { changeConfig } from '../configuration/change-config.ts';
import { holdStateFolder } from '../configuration/state-folder.ts';
import type { ApiAddress } from '../connection/connection.ts';
import type { Enrolled } from './ask-enrolment.ts';
import type { EnrolmentDraft } from './enrolment-draft.ts';

interface InstalledEnrolment {
  readonly configPath: string;
}

/**
 * Writes what this server's agent needs, its key first: if interrupted anywhere, the draft still exists. An existing config.json
 * keeps its other contents.
 * @throws {StartupError} when an agent runs there, or the files cannot be written
 */
export const installEnrolment = async ({
  home,
  api,
  enrolled,
  draft,
}: {
  readonly home: AgentHome;
  readonly api: ApiAddress;
  readonly enrolled: Enrolled;
  readonly draft: EnrolmentDraft;
}): Promise<InstalledEnrolment> => {
  const { answer, secret } = enrolled;
  const { serverId, game } = answer;
  if (!isServerId(serverId))
    throw new StartupError('The API named a server by an ID that is not valid. Update the agent.');
  const configPath = home.configPath(serverId);
  await mkdir(home.serverFolder(serverId), { recursive: true, mode: 0o700 });
  const kept = await readKept(configPath);
  if (typeof kept.game === 'string' && kept.game !== game)
    throw new StartupError(
      `${configPath} is for another game than the panel has for this server (${games[game].name}). Move that file away, then paste the line again. The code stays valid.`,
    );
  const stateFolder = stateFolderOf(configPath, kept);
  await using _held = await holdStateFolder(stateFolder);
  await writeAgentKey(stateFolder, draft.agentKey);
  const hasConsole = typeof kept.console === 'object' && kept.console !== null;
  await changeConfig(configPath, {
    apiUrl: String(api.url),
    // The previous ones belong to the previous address.
    certificatePins: api.pins,
    serverId,
    secret: secret.reveal(),
    game,
    ...(hasConsole ? {} : { console: null }),
  });
  await draft.delete();
  return { configPath };
};

/**
 * Checks in advance what would otherwise fail after the code is used up and the previous agent superseded: whether the data
 * folder can be written.
 * @throws {StartupError} with nothing changed
 */
export const demandWritableHome = async (home: AgentHome): Promise<void> => {
  const probe = join(home.folder, `.probe-${randomUUID()}`);
  try {
    await writeFileAtomically(probe, 'x'.repeat(64 * 1024), 0o600);
  } catch (error) {
    const { message } = error as Error;
    throw new StartupError(`${home.folder} cannot be written: ${message}. The code was not used.`, {
      cause: error,
    });
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
};

/**
 * Checks what else would otherwise fail after the code is used: whether an agent runs with this server's folder, and whether an
 * existing config.json can be read.
 * @throws {AlreadyRunningError}
 * @throws {StartupError} with nothing changed
 */
export const demandFreeFolder = async (home: AgentHome, serverId: string): Promise<void> => {
  const configPath = home.configPath(serverId);
  await asOwnerOf(home.folder, async () => {
    const stateFolder = stateFolderOf(configPath, await readKept(configPath));
    if (!existsSync(stateFolder)) return;
    await using _held = await holdStateFolder(stateFolder);
  });
};

const stateFolderOf = (configPath: string, { stateFolder }: Record<string, unknown>): string =>
  typeof stateFolder === 'string' ? resolve(dirname(configPath), stateFolder) : dirname(configPath);

const readKept = async (path: string): Promise<Record<string, unknown>> => {
  const bytes = await readFile(path).catch(ifAbsent(Buffer.from('{}')));
  const text = settingsText(path, bytes);
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept === 'object' && kept !== null && !Array.isArray(kept)) return { ...kept };
  } catch {
    // Reported below; the parser's message would quote the text around the fault, which may be the secret.
  }
  throw new StartupError(
    `${path} already exists and is not valid JSON. Correct it or move it away, then paste the line again. The code stays valid.`,
  );
};
