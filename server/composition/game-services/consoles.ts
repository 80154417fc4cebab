import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { LineTraits } from '#contracts/servers/console.ts';
import { gameOf } from '#games/games.ts';
import type { Log } from '#runtime/log.ts';
import { type ConsoleRouter, createConsoleRouter } from '../../kernel/commands/console-router.ts';
import type { Leases } from '../../kernel/commands/leases.ts';
import type { AgentRoute } from '../../kernel/commands/routes.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';
import type { Presence } from '../../people/players/presence.ts';
import type { AgentGateway } from '../../servers/agents/agent-gateway.ts';
import { type Console, createConsole } from '../../servers/console/console.ts';
import { type ConsoleTopic, createConsoleTopic } from '../../servers/console/console-topic.ts';
import { createHeardLines, type HeardLines } from '../../servers/console/heard-lines.ts';
import { createHiddenSecrets, type HiddenSecrets } from '../../servers/console/hidden-secrets.ts';
import { createServerMasks } from '../../servers/console/server-masks.ts';
import { type ConsolePool, createConsolePool } from '../../servers/console-pool/console-pool.ts';
import { createLineEvents } from '../../servers/console-pool/line-events.ts';
import { openPassword, unreadableInWords } from '../../servers/game-servers/rcon-password.ts';
import type { ServerDirectory } from '../../servers/game-servers/server-directory.ts';

/** The connections to the consoles of games, and what is said there. */
interface Consoles extends AsyncDisposable {
  readonly pool: ConsolePool;
  readonly router: ConsoleRouter;
  readonly console: Console;
  readonly topic: ConsoleTopic;
  readonly heard: HeardLines;
  readonly hiddenSecrets: HiddenSecrets;
  readonly traitsOf: (serverId: string, text: string) => LineTraits;
}

/** Games that push their log through the console stamp each line to the millisecond, so no two lines are equal. */
const lineKey = (serverId: string, line: string): string =>
  `${serverId}:${createHash('sha256').update(line).digest('base64url')}`;

export const createConsoles = (options: {
  readonly db: Kysely<Tables>;
  readonly leases: Leases;
  readonly secrets: Secrets;
  readonly directory: ServerDirectory;
  readonly agents: AgentRoute & Pick<AgentGateway, 'results' | 'watch'>;
  readonly presence: Pick<Presence, 'observe' | 'read'>;
  /** From the current license. */
  readonly mayConnect: () => boolean;
  readonly log: Log;
}): Consoles => {
  const { db, leases, secrets, directory, agents, presence, mayConnect, log } = options;
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
  const lineEvents = owned.use(createLineEvents({ observe: presence.observe, log }));
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
      mayConnect,
      onLine(serverId, text) {
        const at = new Date();
        const shown = masks.mask(serverId, text);
        topic.lines(serverId, [{ at, text: shown }]);
        heard.add(serverId, at, hiddenSecrets.mask(serverId, shown));
        const server = directory.get(serverId);
        const isOnline = (name: string) =>
          presence.read(serverId).players?.some((player) => player.name === name) ?? false;
        const seen = server && gameOf(server.game).readLogLine(text, isOnline);
        const comesAgain = agents.isKnown(serverId);
        if (seen)
          lineEvents.take(serverId, { text: null, ...seen, at, key: lineKey(serverId, text), comesAgain });
      },
    }),
  );
  const router = createConsoleRouter({ agents, links: pool, leases, log });
  const console = owned.use(
    createConsole({
      db,
      leases,
      reach(serverId, command, way) {
        masks.gave(serverId, command);
        return router.run(serverId, command, way);
      },
      resultsOf: agents.results,
      onEntry: topic.entry,
      hiddenSecrets,
      log,
    }),
  );
  return {
    pool,
    router,
    console,
    topic,
    heard,
    hiddenSecrets,
    traitsOf,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
