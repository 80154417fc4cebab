import { ActionIcon, Alert, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconPlayerStop, IconRefresh, IconSkull } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type PowerAction, powerActions } from '#contracts/agent-tasks.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import type { ServerPower } from '#contracts/power.ts';
import { useCan } from '../../../access/access-state.ts';
import { AsyncContent } from '../../../design/async-content.tsx';
import { Card } from '../../../design/card.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { Trouble } from '../../../design/trouble.tsx';
import { problemTexts } from '../../../language/problem-texts.ts';
import { presentLanguage, useWords } from '../../../language/use-words.ts';
import { useSearchState } from '../../../routing/use-search-state.ts';
import { taskOutcomesWords } from '../task-outcomes.words.ts';
import { MachineCard } from './machine-card.tsx';
import { powerWords } from './power.words.ts';
import { LastCrash, RunningAct } from './power-acts.tsx';
import { PowerDialog } from './power-dialog.tsx';
import { usePower, usePowerAct } from './use-power.ts';

const icons = { start: IconPlayerPlay, stop: IconPlayerStop, restart: IconRefresh, kill: IconSkull } as const;
const buttons = ['start', 'stop', 'restart'] as const satisfies readonly PowerAction[];

/** What runs on the game's machine, and the buttons that start and stop it. */
export const PowerCards = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(powerWords);
  const mayAct = useCan()('servers.power', server.id);
  const read = usePower(server);
  return (
    <AsyncContent read={read}>
      {(power) => (
        <>
          {(mayAct || power.process) && (
            <Card title={words.title}>
              <PowerContent server={server} power={power} />
            </Card>
          )}
          {power.machine && <MachineCard machine={power.machine} />}
        </>
      )}
    </AsyncContent>
  );
};

interface OfPower {
  readonly server: GameServer;
  readonly power: ServerPower;
}

const PowerContent = ({ server, power }: OfPower) => {
  const words = useWords(powerWords);
  const outcomes = useWords(taskOutcomesWords);
  const { act, lastAct, process, obstacle } = power;
  const mayAct = useCan()('servers.power', server.id);
  return (
    <Stack gap="sm">
      {mayAct ? <Acts server={server} power={power} /> : <Text c="dimmed">{words.mayNot}</Text>}
      {mayAct && obstacle && <Obstacle code={obstacle} />}
      {act && <RunningAct serverId={server.id} act={act} mayCancel={mayAct} />}
      {!act && lastAct?.outcome && lastAct.endedAt && (
        <Text size="sm">
          {words.last}: {words.lastActs[lastAct.action]} – {outcomes[lastAct.outcome]}
          {', '}
          <TimeAgo at={lastAct.endedAt} /> ({words.by(lastAct.byName)}).{' '}
          {lastAct.detail && <bdi>{lastAct.detail}</bdi>}
        </Text>
      )}
      {process?.report.pid && process.report.state !== 'stopped' && (
        <Text size="sm" c="dimmed">
          {!power.isAgentPresent && (
            <>
              {words.asOf} <TimeAgo at={process.at} />:{' '}
            </>
          )}
          {words.pid} {process.report.pid}
          {process.report.upMs !== null && (
            <>
              {' · '}
              {words.up} <TimeAgo at={new Date(Date.parse(process.at) - process.report.upMs).toISOString()} />
            </>
          )}
        </Text>
      )}
      {process?.report.detail && (
        <Text size="sm">
          <bdi>{process.report.detail}</bdi>
        </Text>
      )}
      {power.lastCrash && <LastCrash crash={power.lastCrash} />}
    </Stack>
  );
};

const Obstacle = ({ code }: { readonly code: NonNullable<ServerPower['obstacle']> }) => {
  const { meaning, remedy } = problemTexts(code, presentLanguage());
  return (
    <Alert color="var(--tone-idle)" variant="outline" id="power-obstacle">
      <Text size="sm">{meaning}</Text>
      <Text size="sm">{remedy}</Text>
    </Alert>
  );
};

/** In the address, as `power=stop`: opens the question of that act. */
const actionOf = (text: string | undefined): PowerAction | null =>
  powerActions.find((action) => action === text) ?? null;

const Acts = ({ server, power }: OfPower) => {
  const words = useWords(powerWords);
  const { values, set } = useSearchState();
  const [asked, setAsked] = useState<PowerAction | null>(null);
  const { run, isRunning, error } = usePowerAct(server.id);
  const wanted = actionOf(values.power);
  const whyNot = (action: PowerAction) => reasonAgainst(action, power, words);
  // A link leads to the question, and to nothing more.
  useEffect(() => {
    if (!wanted) return;
    set({ power: '' });
    setAsked(wanted);
  }, [wanted, set]);
  const begin = (action: PowerAction) => {
    if (action === 'start') void run('start', undefined);
    else setAsked(action);
  };
  return (
    <>
      <Group gap="xs">
        {buttons.map((action) => {
          const Icon = icons[action];
          const reason = whyNot(action);
          return (
            <Button
              key={action}
              variant={action === 'start' ? 'filled' : 'default'}
              leftSection={<Icon size={16} aria-hidden />}
              disabled={reason !== null}
              {...(reason !== null && { title: reason, 'aria-describedby': 'power-reason' })}
              loading={isRunning && action === 'start'}
              onClick={() => begin(action)}
            >
              {words.acts[action]}
            </Button>
          );
        })}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={words.more}
              disabled={power.obstacle !== null}
            >
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              color="red"
              leftSection={<IconSkull size={16} aria-hidden />}
              disabled={whyNot('kill') !== null}
              onClick={() => setAsked('kill')}
            >
              {words.acts.kill} …
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {power.obstacle === null && (
        <Text size="sm" c="dimmed" id="power-reason">
          {[...new Set(buttons.map(whyNot).filter((reason) => reason !== null))].join(' ')}
        </Text>
      )}
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

const upStates: readonly string[] = ['running', 'starting', 'stopping'];

/** Why an act makes no sense now, in words; null: it does. */
const reasonAgainst = (
  action: PowerAction,
  { obstacle, act, process }: ServerPower,
  words: {
    readonly busy: string;
    readonly alreadyUp: string;
    readonly alreadyDown: string;
    readonly mayNot: string;
  },
): string | null => {
  if (obstacle) return problemTexts(obstacle, presentLanguage()).meaning;
  if (act && (action !== 'kill' || act.action === 'kill')) return words.busy;
  const state = process?.report.state;
  if (action === 'start' && (state === 'running' || state === 'starting')) return words.alreadyUp;
  const isDown = state !== undefined && !upStates.includes(state) && state !== 'unknown';
  if (action === 'kill') return isDown ? words.alreadyDown : null;
  // A stop also ends the waiting for the next start.
  if (action === 'stop' && isDown && state !== 'backing-off') return words.alreadyDown;
  return null;
};
