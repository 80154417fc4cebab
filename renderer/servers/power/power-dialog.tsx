import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import type { PowerAction } from '#contracts/servers/agent-tasks.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { usePlayersOf } from '../use-players-of.ts';
import { powerWords } from './power.words.ts';
import { usePowerAct } from './use-power.ts';

/** Seconds. */
const countdowns = [0, 30, 60, 120, 300, 600, 1800];

/** How long a stop is announced in the game. */
export const CountdownField = (props: {
  readonly seconds: number;
  readonly defaultSeconds: number;
  readonly onChange: (seconds: number) => void;
}) => {
  const { seconds, defaultSeconds, onChange } = props;
  const words = useWords(powerWords);
  const format = useFormat();
  const options = [...new Set([...countdowns, defaultSeconds])].sort((a, b) => a - b);
  return (
    <NativeSelect
      label={words.countdown}
      value={String(seconds)}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      data={options.map((value) => ({
        value: String(value),
        label: value === 0 ? words.atOnce : words.before(format.duration(value)),
      }))}
      data-autofocus
    />
  );
};
const mostNames = 12;

/** Asks before a server is stopped, shows who is on it, and offers a choice of the announcement time. */
export const PowerDialog = (props: {
  readonly server: GameServer;
  readonly action: PowerAction;
  /** Why it cannot be done now, in words; the question stays until it is closed. */
  readonly whyNot?: string | null;
  /** For an act that names none. */
  readonly defaultCountdownSeconds: number;
  readonly onClose: () => void;
}) => {
  const { server, action, whyNot = null, defaultCountdownSeconds, onClose } = props;
  const words = useWords(powerWords);
  const [chosen, setChosen] = useState<number | null>(null);
  const { run, isRunning, error } = usePowerAct(server.id);
  const isKill = action === 'kill';
  const isAnnounced = action === 'stop' || action === 'restart';
  const seconds = chosen ?? defaultCountdownSeconds;
  return (
    <FormDialog
      title={<bdi>{words.questions[action](server.name)}</bdi>}
      act={words.acts[action]}
      isActing={isRunning}
      isReady={whyNot === null}
      note={whyNot}
      isDestructive={isKill || action === 'stop'}
      error={error}
      beginsAtLeave={isKill}
      onSubmit={() => {
        void run(action, isAnnounced ? seconds : undefined).then((isBegun) => {
          if (isBegun) onClose();
        });
      }}
      onClose={onClose}
      closeOnClickOutside
    >
      {isKill && <Text>{words.killText}</Text>}
      {isAnnounced && <Text>{words.stopText}</Text>}
      {action !== 'start' && <PlayersOn server={server} />}
      {isAnnounced && (
        <CountdownField seconds={seconds} defaultSeconds={defaultCountdownSeconds} onChange={setChosen} />
      )}
    </FormDialog>
  );
};

/** Who is on a server, as far as the reader may know. */
export const PlayersOn = ({ server }: { readonly server: GameServer }) =>
  useCan()('players.read', server.id) ? (
    <NamesOn server={server} />
  ) : (
    <CountOn count={server.status.players} />
  );

const CountOn = ({ count }: { readonly count: number | null }) => {
  const words = useWords(powerWords);
  if (count === null) return <Text c="dimmed">{words.playersUnknown}</Text>;
  if (count === 0) return <Text c="dimmed">{words.noPlayersOnline}</Text>;
  return <Text fw={600}>{words.playersOn(count)}</Text>;
};

const NamesOn = ({ server }: { readonly server: GameServer }) => {
  const players = usePlayersOf(server.id)?.players ?? null;
  return (
    <div>
      <CountOn count={players?.length ?? server.status.players} />
      {players && players.length > 0 && (
        <Text size="sm">
          {players.slice(0, mostNames).map(({ playerId, name }, index) => (
            <span key={playerId}>
              {index > 0 && ', '}
              <bdi>{name}</bdi>
            </span>
          ))}
          {players.length > mostNames && ' …'}
        </Text>
      )}
    </div>
  );
};
