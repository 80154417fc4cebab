import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { GameServer } from '#contracts/game-servers.ts';
import type { SavesBackup, ServerSaves } from '#contracts/saves.ts';
import { useCan } from '../../../access/access-state.ts';
import { FormDialog } from '../../../design/form-dialog.tsx';
import { useReturnFocus } from '../../../design/use-return-focus.ts';
import { useFormat } from '../../../language/use-format.ts';
import { useWords } from '../../../language/use-words.ts';
import { PowerDialog } from '../power/power-dialog.tsx';
import { usePower } from '../power/use-power.ts';
import { Notes } from './backup-notes.tsx';
import { ObstacleNote, obstacleTo, useObstacleText } from './save-obstacle.tsx';
import { savesWords } from './saves.words.ts';
import { momentOf } from './saves-in-words.ts';
import { useSaveAct } from './use-saves.ts';

export interface ReplaceDialogProps {
  readonly server: GameServer;
  readonly saves: ServerSaves;
  readonly backup: Pick<SavesBackup, 'name' | 'notes'> & { readonly takenAt: string | null };
  readonly action: 'restore' | 'undo';
  readonly onClose: () => void;
}

/** Asks before a game's worlds are replaced: explains what happens, has the game stopped, and asks for the server's name. */
export const ReplaceDialog = ({ server, saves, backup, action, onClose }: ReplaceDialogProps) => {
  // The dialog that stops the server temporarily replaces this one.
  useReturnFocus();
  const words = useWords(savesWords);
  const format = useFormat();
  const power = usePower(server).data;
  const obstacleText = useObstacleText();
  const { run, isRunning, error } = useSaveAct(server.id);
  const [isStopping, setIsStopping] = useState(false);
  const [isRefused, setIsRefused] = useState(false);
  const obstacle = isRunning ? null : obstacleTo(action, saves);
  if (isStopping && power)
    return (
      <PowerDialog
        server={server}
        action="stop"
        defaultCountdownSeconds={power.defaultCountdownSeconds}
        onClose={() => setIsStopping(false)}
      />
    );
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
        const isRight = serverName === asCompared(server.name);
        setIsRefused(!isRight);
        if (!isRight) return;
        void run({ action, backup: backup.name, serverName }).then((isBegun) => {
          if (isBegun) onClose();
        });
      }}
      onClose={onClose}
    >
      {isRestore ? (
        <>
          <Text>{words.restoreText(server.name)}</Text>
          <Text>{words.keptText}</Text>
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
          {obstacle === 'SAVES_GAME_RUNNING' && (
            <WayToStop server={server} power={power} onStop={() => setIsStopping(true)} />
          )}
        </ObstacleNote>
      )}
      {obstacle === null && (
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
          // It also appears while the dialog is open, once the game has stopped.
          autoFocus
          data-autofocus
        />
      )}
    </FormDialog>
  );
};

/** As the API compares them: letters that look the same are equal. */
const asCompared = (name: string): string => name.normalize('NFC').trim();

interface WayToStopProps {
  readonly server: GameServer;
  readonly power: ReturnType<typeof usePower>['data'];
  readonly onStop: () => void;
}

/** How the game is stopped: by the panel, if it can and the person may. */
const WayToStop = ({ server, power, onStop }: WayToStopProps) => {
  const words = useWords(savesWords);
  const mayStop = useCan()('servers.power', server.id);
  if (!power) return null;
  if (power.act)
    return (
      <Text size="sm" fw={600} role="status">
        {words.beingStopped}
      </Text>
    );
  if (power.obstacle !== null) return <Text size="sm">{words.stopByHand}</Text>;
  if (!mayStop) return <Text size="sm">{words.mayNotStop}</Text>;
  return (
    <Group mt="xs">
      <Button size="xs" variant="default" onClick={onStop}>
        {words.stopFirst}
      </Button>
    </Group>
  );
};
