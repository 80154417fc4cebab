import { Checkbox, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { SavesBackup, ServerSaves } from '#contracts/servers/saves.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { CountdownField, PlayersOn } from '../power/power-dialog.tsx';
import { usePower } from '../power/use-power.ts';
import { Notes } from './backup-notes.tsx';
import { ObstacleNote, obstacleTo, useObstacleText } from './save-obstacle.tsx';
import { savesWords } from './saves.words.ts';
import { momentOf } from './saves-in-words.ts';
import { useRestoreRun } from './use-saves.ts';

/**
 * Asks everything before a game's worlds are replaced; what follows, from the stop to the start, goes on without the panel. The
 * server's name is typed only where it cannot be undone.
 */
export const ReplaceDialog = (props: {
  readonly server: GameServer;
  readonly saves: ServerSaves;
  readonly backup: Pick<SavesBackup, 'name' | 'notes'> & { readonly takenAt: string | null };
  readonly action: 'restore' | 'undo';
  readonly onClose: () => void;
}) => {
  const { server, saves, backup, action, onClose } = props;
  const words = useWords(savesWords);
  const format = useFormat();
  const power = usePower(server).data;
  const obstacleText = useObstacleText();
  const mayPower = useCan()('servers.power', server.id);
  const { run, isRunning, error } = useRestoreRun(server.id);
  const [isRefused, setIsRefused] = useState(false);
  const [chosenSeconds, setChosenSeconds] = useState<number | null>(null);
  const [startsStopped, setStartsStopped] = useState(false);
  const found = isRunning ? null : obstacleTo(action, saves);
  const isUp = saves.restoreObstacle === 'SAVES_GAME_RUNNING';
  const canPower = power !== undefined && power.obstacle === null && mayPower;
  const stops = isUp && canPower;
  const obstacle = found === 'SAVES_GAME_RUNNING' && stops ? null : found;
  const seconds = chosenSeconds ?? power?.defaultCountdownSeconds ?? 0;
  const time = backup.takenAt === null ? backup.name : momentOf(backup.takenAt, format);
  const isRestore = action === 'restore';
  return (
    <FormDialog
      title={<bdi>{isRestore ? words.restoreOf(time) : words.undo}?</bdi>}
      act={isRestore ? words.restore : words.undo}
      isActing={isRunning}
      isDestructive
      beginsAtLeave={obstacle !== null}
      isReady={obstacle === null}
      error={error}
      onSubmit={(form) => {
        const serverName = asCompared(String(form.get('serverName') ?? ''));
        const isRight = saves.canUndo || serverName === asCompared(server.name);
        setIsRefused(!isRight);
        if (!isRight) return;
        void run({
          action,
          backup: backup.name,
          ...(!saves.canUndo && { serverName }),
          ...(stops && { countdownSeconds: seconds }),
          starts: stops || (canPower && startsStopped),
        }).then((isBegun) => {
          if (isBegun) onClose();
        });
      }}
      onClose={onClose}
    >
      {isRestore ? (
        <>
          <Text>{words.restoreText(server.name)}</Text>
          <Text>{saves.canUndo ? words.keptText : words.keptWithoutUndo}</Text>
          {backup.notes.length > 0 && (
            <div>
              <Text fw={600}>{words.notesOf}</Text>
              <Notes notes={backup.notes} />
            </div>
          )}
        </>
      ) : (
        <>
          <Text>{words.undoText(server.name)}</Text>
          <Text>{words.asideText}</Text>
        </>
      )}
      {obstacle === 'busy' && <Text fw={600}>{obstacleText(obstacle)}</Text>}
      {obstacle !== null && obstacle !== 'busy' && (
        <ObstacleNote code={obstacle} hasOwnRemedy={obstacle === 'SAVES_GAME_RUNNING'}>
          {obstacle === 'SAVES_GAME_RUNNING' && power && (
            <Text size="sm">{mayPower ? words.stopByHand : words.mayNotStop}</Text>
          )}
        </ObstacleNote>
      )}
      {obstacle === null && stops && (
        <>
          <Text fw={600}>{words.byItself}</Text>
          <PlayersOn server={server} />
          <CountdownField
            seconds={seconds}
            defaultSeconds={power.defaultCountdownSeconds}
            onChange={setChosenSeconds}
          />
        </>
      )}
      {obstacle === null && !isUp && canPower && (
        <Checkbox
          label={words.startAfter}
          checked={startsStopped}
          onChange={({ currentTarget }) => setStartsStopped(currentTarget.checked)}
          data-autofocus
        />
      )}
      {obstacle === null && !saves.canUndo && (
        <TextInput
          name="serverName"
          label={
            <>
              {words.typeName} <bdi style={{ whiteSpace: 'pre-wrap' }}>{server.name}</bdi>
            </>
          }
          error={isRefused ? words.nameDiffers : null}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
        />
      )}
    </FormDialog>
  );
};

/** As the API compares them: letters that look the same are equal. */
const asCompared = (name: string): string => name.normalize('NFC').trim();
