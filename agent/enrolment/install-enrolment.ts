import { mkdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { games } from '#contracts/games.ts';
import { StartupError } from '#runtime/program.ts';
import { type AgentHome, isServerId } from '../configuration/agent-home.ts';
import { writeAgentKey } from '../configuration/agent-key.ts';
import { changeConfig } from '../configuration/change-config.ts';
import { holdStateFolder } from '../configuration/state-folder.ts';
import type { Enrolled } from './ask-enrolment.ts';
import type { EnrolmentDraft } from './enrolment-draft.ts';

export interface InstalledEnrolment {
  readonly configPath: string;
}

/**
 * Writes what the agent of this server needs, its key first: broken off anywhere, the draft is still there. What stands in a
 * config.json already is kept.
 * @throws {StartupError} when an agent runs there, or the files cannot be written
 */
export const installEnrolment = async (
  home: AgentHome,
  apiUrl: URL,
  { answer, secret }: Enrolled,
  draft: EnrolmentDraft,
): Promise<InstalledEnrolment> => {
  const { serverId, game } = answer;
  if (!isServerId(serverId)) throw new StartupError('The API names a server by an id that cannot be one.');
  const configPath = home.configPath(serverId);
  await mkdir(home.serverFolder(serverId), { recursive: true, mode: 0o700 });
  const kept = await readKept(configPath);
  if (typeof kept.game === 'string' && kept.game !== game)
    throw new StartupError(
      `${configPath} is for another game than the panel has for this server (${games[game].name}). Move that file away, then run this line again.`,
    );
  const stateFolder = stateFolderOf(configPath, kept);
  await using _held = await holdStateFolder(stateFolder);
  await writeAgentKey(stateFolder, draft.agentKey);
  const hasConsole = typeof kept.console === 'object' && kept.console !== null;
  await changeConfig(configPath, {
    apiUrl: String(apiUrl),
    serverId,
    secret: secret.reveal(),
    game,
    ...(hasConsole ? {} : { console: null }),
  });
  await draft.delete();
  return { configPath };
};

const stateFolderOf = (configPath: string, { stateFolder }: Record<string, unknown>): string =>
  typeof stateFolder === 'string' ? resolve(dirname(configPath), stateFolder) : dirname(configPath);

const readKept = async (path: string): Promise<Record<string, unknown>> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    const kept: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof kept === 'object' && kept !== null && !Array.isArray(kept)) return { ...kept };
  } catch {
    // Told below; what the parser says would quote the text around the fault, which may be the secret.
  }
  throw new StartupError(
    `${path} is there already and cannot be read as JSON. Mend it or move it away, then run this line again.`,
  );
};
