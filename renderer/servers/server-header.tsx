import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconSkull } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type PowerAction, powerActions } from '#contracts/servers/agent-tasks.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import type { ServerPower } from '#contracts/servers/power.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useLiveState } from '../kit/api/live.ts';
import { DetailHeader } from '../kit/design/detail-header.tsx';
import { ReasonedButton } from '../kit/design/reasoned-button.tsx';
import { TimeAgo } from '../kit/design/time-ago.tsx';
import { Trouble } from '../kit/design/trouble.tsx';
import { useServerNow } from '../kit/design/use-server-now.ts';
import { problemTexts } from '../kit/language/problem-texts.ts';
import { useFormat } from '../kit/language/use-format.ts';
import { presentLanguage, useWords } from '../kit/language/use-words.ts';
import { hrefOf } from '../kit/routing/hash-location.ts';
import { useSearchState } from '../kit/routing/use-search-state.ts';
import { GameMark } from './game-mark.tsx';
import { ServerStateSentence } from './game-servers/server-state.tsx';
import { useLiveAgents } from './game-servers/use-live-agents.ts';
import { powerWords } from './power/power.words.ts';
import { RunningAct } from './power/power-acts.tsx';
import { PowerDialog } from './power/power-dialog.tsx';
import { usePowerAct } from './power/use-power.ts';
import classes from './server-header.module.css';
import { serverPageWords } from './server-page.words.ts';

interface PowerActionsProps {
  readonly server: GameServer;
  readonly power: ServerPower;
}

/** In the address, as `power=stop`: opens the question for that act. */
const actionOf = (text: string | undefined): PowerAction | null =>
  powerActions.find((action) => action === text) ?? null;

/** What can be done with the game's process; without a Game Agent, that is to set one up. */
const PowerActions = (props: PowerActionsProps) => {
  const words = useWords(powerWords);
  const can = useCan();
  const { id } = props.server;
  const agent = useLiveAgents().data?.rows.find(({ serverId }) => serverId === id);
  const hasNone = agent?.mode === null && agent.keyFingerprint === null && agent.lastSeenAt === null;
  if (!hasNone || props.power.obstacle !== 'POWER_AGENT_AWAY') return <ProcessActions {...props} />;
  return can('agents.write', id) ? (
    <Button component="a" href={hrefOf(`/agents/${encodeURIComponent(id)}`)}>
      {words.setUpAgent}
    </Button>
  ) : null;
};

/** The buttons that restart, stop and start the game; ending it without saving is behind a menu. */
const ProcessActions = ({ server, power }: PowerActionsProps) => {
  const words = useWords(powerWords);
  const { values, set } = useSearchState();
  const [asked, setAsked] = useState<PowerAction | null>(null);
  const { run, isRunning, error } = usePowerAct(server.id);
  const wanted = actionOf(values.power);
  const whyNot = (action: PowerAction) => reasonAgainst(action, power, words);
  // A link only opens the question.
  useEffect(() => {
    if (!wanted) return;
    set({ power: '' });
    setAsked(wanted);
  }, [wanted, set]);
  const { act: other, isFresh } = useSettled(isUp(server, power) ? 'stop' : 'start');
  return (
    <>
      {waitsForProgram(power) ? (
        <ReasonedButton
          variant="default"
          reason={whyNot('start')}
          isActing={isRunning}
          onClick={() => void run('start', undefined)}
        >
          {words.acts.start}
        </ReasonedButton>
      ) : (
        <ReasonedButton variant="default" reason={whyNot('restart')} onClick={() => setAsked('restart')}>
          {words.acts.restart}
        </ReasonedButton>
      )}
      <ReasonedButton
        variant={other === 'start' ? 'filled' : 'default'}
        reason={whyNot(other)}
        isActing={isRunning && other === 'start'}
        onClick={() => {
          if (isFresh) return;
          if (other === 'start') void run('start', undefined);
          else setAsked('stop');
        }}
      >
        {words.acts[other]}
      </ReasonedButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            disabled={power.obstacle !== null}
          >
            {words.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            color="var(--tone-bad)"
            leftSection={<IconSkull size={16} aria-hidden />}
            disabled={whyNot('kill') !== null}
            onClick={() => setAsked('kill')}
          >
            {words.acts.kill} …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {error !== null && <Trouble error={error} />}
      {asked && (
        <PowerDialog
          server={server}
          action={asked}
          whyNot={whyNot(asked)}
          defaultCountdownSeconds={power.defaultCountdownSeconds}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
};

const settleMs = 700;

/** A click on a button that has just changed its act is ignored: it was meant for the previous one. */
const useSettled = <Act extends PowerAction>(act: Act): { readonly act: Act; readonly isFresh: boolean } => {
  const [settled, setSettled] = useState(act);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(act), settleMs);
    return () => clearTimeout(timer);
  }, [act]);
  return { act, isFresh: act !== settled };
};

const upStates: readonly string[] = ['running', 'starting', 'stopping'];

/** Its agent starts it once its program can be run; a start tries it now, and a stop ends the wait. */
const waitsForProgram = ({ process }: ServerPower): boolean =>
  process?.report.state === 'stopped' && process.report.program !== undefined;

/** Whether a stop makes sense: also one that ends the wait for the next start. */
const isUp = ({ status }: GameServer, power: ServerPower): boolean => {
  const { process } = power;
  const state = process?.report.state ?? 'unknown';
  if (state === 'unknown' || state === 'unmanaged') return status.state === 'online';
  return upStates.includes(state) || state === 'backing-off' || waitsForProgram(power);
};

/** Why an act makes no sense now, in words; null: it does. */
const reasonAgainst = (
  action: PowerAction,
  power: ServerPower,
  words: {
    readonly busy: string;
    readonly alreadyUp: string;
    readonly alreadyDown: string;
  },
): string | null => {
  const { obstacle, act, process } = power;
  if (obstacle) return problemTexts(obstacle, presentLanguage()).meaning;
  if (act && (action !== 'kill' || act.action === 'kill')) return words.busy;
  const state = process?.report.state;
  if (action === 'start' && (state === 'running' || state === 'starting')) return words.alreadyUp;
  const isDown = state !== undefined && !upStates.includes(state) && state !== 'unknown';
  if (action === 'kill') return isDown ? words.alreadyDown : null;
  const isWaiting = state === 'backing-off' || waitsForProgram(power);
  if (action === 'stop' && isDown && !isWaiting) return words.alreadyDown;
  return null;
};

/** The server's name, its state, and the actions on it, above every tab of its page. */
export const ServerHeader = (props: {
  readonly server: GameServer;
  /** Undefined until it is known. */
  readonly power: ServerPower | undefined;
  readonly part?: string;
}) => {
  const { server, power, part } = props;
  const words = useWords(serverPageWords);
  const mayAct = useCan()('servers.power', server.id);
  const isAway = useLiveState() === 'away';
  const { name, game, host, port, status, archivedAt } = server;
  return (
    <>
      <DetailHeader
        mark={<GameMark game={game} size={36} />}
        title={name}
        {...(part !== undefined && { part })}
        state={
          <span role="status" className={classes.state}>
            {isAway && <span>{words.stateFrom}</span>}
            <ServerStateSentence server={server} />
          </span>
        }
        facts={[
          { key: 'game', content: games[game].name },
          { key: 'address', content: host === null ? words.byAgent : <bdi>{`${host}:${port}`}</bdi> },
          ...(archivedAt === null && (power?.process ?? status.since) !== null
            ? [{ key: 'since', content: <UpTime server={server} power={power} /> }]
            : []),
        ]}
        actions={
          archivedAt === null && mayAct && power ? <PowerActions server={server} power={power} /> : undefined
        }
      />
      {power?.act && (
        <div className={classes.act}>
          <RunningAct serverId={server.id} act={power.act} mayCancel={mayAct} />
        </div>
      )}
    </>
  );
};

/** How long the game has been running, as its agent proved it; otherwise how long its state has lasted. */
const UpTime = ({
  server,
  power,
}: {
  readonly server: GameServer;
  readonly power: ServerPower | undefined;
}) => {
  const words = useWords(serverPageWords);
  const format = useFormat();
  const nowMs = useServerNow();
  const { since } = server.status;
  const process = power?.isAgentPresent ? power.process : null;
  if (process?.report.state === 'running' && process.report.upMs !== null) {
    const upMs = process.report.upMs + Math.max(0, nowMs - Date.parse(process.at));
    const minutes = Math.floor(upMs / 60_000);
    return minutes === 0 ? words.justStarted : words.up(format.duration(minutes * 60));
  }
  return (
    since && (
      <>
        {words.since} <TimeAgo at={since} />
      </>
    )
  );
};
