import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconSkull } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type PowerAction, powerActions } from '#contracts/servers/agent-tasks.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { ServerPower } from '#contracts/servers/power.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { ReasonedButton } from '../../kit/design/reasoned-button.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { problemTexts } from '../../kit/language/problem-texts.ts';
import { presentLanguage, useWords } from '../../kit/language/use-words.ts';
import { hrefOf } from '../../kit/routing/hash-location.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { useLiveAgents } from '../game-servers/use-live-agents.ts';
import { powerWords } from './power.words.ts';
import { PowerDialog } from './power-dialog.tsx';
import { usePowerAct } from './use-power.ts';

interface PowerActionsProps {
  readonly server: GameServer;
  readonly power: ServerPower;
}

/** In the address, as `power=stop`: opens the question for that act. */
const actionOf = (text: string | undefined): PowerAction | null =>
  powerActions.find((action) => action === text) ?? null;

/** What can be done with the game's process; without a Game Agent, that is to set one up. */
export const PowerActions = (props: PowerActionsProps) => {
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
