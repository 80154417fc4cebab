import { Text } from '@mantine/core';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { SaveRequest } from '#contracts/servers/saves.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { savesWords } from './saves.words.ts';
import { useSaveAct } from './use-saves.ts';

interface SaveQuestionProps {
  readonly server: GameServer;
  readonly request: Extract<SaveRequest, { action: 'backup' | 'confirm' }>;
  readonly onClose: () => void;
}

/** Asks once before a backup that a link leads to, and before the previous worlds are deleted. */
export const SaveQuestion = ({ server, request, onClose }: SaveQuestionProps) => {
  const words = useWords(savesWords);
  const { run, isRunning, error } = useSaveAct(server.id);
  const isBackup = request.action === 'backup';
  return (
    <FormDialog
      title={<bdi>{isBackup ? words.takeQuestion(server.name) : words.keepQuestion}</bdi>}
      act={isBackup ? words.take : words.keepAct}
      isActing={isRunning}
      isDestructive={!isBackup}
      beginsAtLeave
      error={error}
      onSubmit={() => {
        void run(request).then((isBegun) => {
          if (isBegun) onClose();
        });
      }}
      onClose={onClose}
      closeOnClickOutside
    >
      <Text>{isBackup ? words.takeText : words.keepText}</Text>
      {!isBackup && <Text>{words.backupStays}</Text>}
    </FormDialog>
  );
};
