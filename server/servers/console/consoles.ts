import { createHash } from 'node:crypto';
import type { ServerPlayers } from '#contracts/people/players.ts';
import type { LineTraits } from '#contracts/servers/console.ts';
import { gameOf } from '#games/games.ts';
import { createConsoleRouter } from '../../kernel/commands/console-router.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { AgentTasks } from '../agent-tasks.ts';
import type { AgentGateway } from '../agents/agent-gateway.ts';
import type { AgentObservations } from '../agents/frame-intake.ts';
import { createConsolePool } from '../console-pool/console-pool.ts';
import { createLineEvents } from '../console-pool/line-events.ts';
import { openPassword, unreadableInWords } from '../game-servers/rcon-password.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';
import { createConsole } from './console.ts';
import { createConsoleTopic } from './console-topic.ts';
import { createHeardLines } from './heard-lines.ts';
import { createHiddenSecrets } from './hidden-secrets.ts';
import { createKeptLines } from './kept-lines.ts';
import { createServerMasks } from './server-masks.ts';

/** Games that push their log through the console stamp each line to the millisecond, so no two lines are equal. */
const lineKey = (serverId: string, line: string): string =>
  `${serverId}:${createHash('sha256').update(line).digest('base64url')}`;

/** The connections to the consoles of games, and what is said there. */
export const createConsoles = ({
  db,
  leases,
  secrets,
  licenseHolds,
  directory,
  agents,
  tasks,
  observations,
  playersOn,
  log,
}: Pick<Kernel, 'db' | 'leases' | 'secrets' | 'licenseHolds' | 'log'> & {
  readonly directory: ServerDirectory;
  readonly agents: AgentGateway;
  readonly tasks: AgentTasks;
  readonly observations: AgentObservations;
  readonly playersOn: (serverId: string) => ServerPlayers;
}) => {
  const owned = new AsyncDisposableStack();

  const hiddenSecrets = createHiddenSecrets();
  const traitsOf = (serverId: string, text: string): LineTraits => {
    const server = directory.get(serverId);
    if (!server) return {};
    const game = gameOf(server.game);
    const severity = game.severityOf(text);
    const stamp = game.stampLength(text);
    return { ...(severity && { severity }), ...(stamp > 0 && { stamp }) };
  };
  const topic = createConsoleTopic({ servers: directory, watch: agents.watch, hiddenSecrets, traitsOf });
  const heard = owned.use(createHeardLines({ db, log }));
  const masks = createServerMasks((serverId) => directory.get(serverId)?.game ?? null);
  const lineEvents = owned.use(createLineEvents({ observe: observations.events, log }));
  const pool = owned.use(
    createConsolePool({
      servers: directory,
      openPassword(serverId, sealed) {
        const opened = openPassword(secrets, serverId, sealed);
        if (opened.outcome !== 'open') return { unreadable: unreadableInWords(opened) };
        masks.hide(serverId, opened.secret);
        return opened.secret;
      },
      isAgentPresent: agents.isPresent,
      mayConnect: licenseHolds,
      onLine(serverId, text) {
        const at = new Date();
        const shown = masks.mask(serverId, text);
        topic.lines(serverId, [{ at, text: shown }]);
        heard.add(serverId, at, hiddenSecrets.mask(serverId, shown));
        const server = directory.get(serverId);
        const isOnline = (name: string) =>
          playersOn(serverId).players?.some((player) => player.name === name) ?? false;
        const seen = server && gameOf(server.game).readLogLine(text, isOnline);
        const comesAgain = agents.isKnown(serverId);
        if (seen)
          lineEvents.take(serverId, { text: null, ...seen, at, key: lineKey(serverId, text), comesAgain });
      },
    }),
  );
  const router = createConsoleRouter({ agents, links: pool, leases, log });
  const console = owned.use(createConsole({ db, leases, router, masks, agents, topic, hiddenSecrets, log }));
  observations.on('lines', topic.lines);
  observations.on('lateResult', console.takeLate);
  observations.on('changed', pool.reconsider);
  return {
    pool,
    router,
    console,
    topic,
    keptLines: createKeptLines({ servers: directory, tasks, heard, hiddenSecrets, traitsOf }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
