import { Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { GameServer } from '#contracts/game-servers.ts';
import type { SavesBackup, ServerSaves } from '#contracts/saves.ts';
import { useCan } from '../../../access/access-state.ts';
import { AsyncContent } from '../../../design/async-content.tsx';
import { useSearchState } from '../../../routing/use-search-state.ts';
import { BackupList } from './backup-list.tsx';
import { NightlyCard } from './nightly-card.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';
import { RestoredCard } from './restored-card.tsx';
import { obstacleTo } from './save-obstacle.tsx';
import { SaveQuestion } from './save-question.tsx';
import { SavesState } from './saves-state.tsx';
import { useSaves } from './use-saves.ts';

/** The question to the person, one at a time. */
type Question =
  | { readonly action: 'backup' }
  | { readonly action: 'restore'; readonly backup: SavesBackup }
  | { readonly action: 'undo' | 'confirm'; readonly backup: string };

/** The backups of a game's worlds, which are on its own machine. */
export const SavesTab = ({ server }: { readonly server: GameServer }) => {
  const [question, setQuestion] = useState<Question | null>(null);
  const read = useSaves(server, question !== null);
  return (
    <AsyncContent read={read}>
      {(saves) => <Parts server={server} saves={saves} question={question} onAsk={setQuestion} />}
    </AsyncContent>
  );
};

interface PartsProps {
  readonly server: GameServer;
  readonly saves: ServerSaves;
  readonly question: Question | null;
  readonly onAsk: (question: Question | null) => void;
}

const Parts = ({ server, saves, question, onAsk }: PartsProps) => {
  const { list } = saves;
  const mayAct = useCan()('saves.write', server.id);
  const { values, set } = useSearchState();
  const isLinked = values.save === 'backup';
  // A link only opens the question.
  useEffect(() => {
    if (!isLinked) return;
    set({ save: '' });
    if (mayAct) onAsk({ action: 'backup' });
  }, [isLinked, mayAct, set, onAsk]);
  return (
    <Stack>
      {list?.unconfirmed != null && (
        <RestoredCard
          server={server}
          saves={saves}
          backup={list.unconfirmed}
          onDecide={(action) => onAsk({ action, backup: list.unconfirmed ?? '' })}
        />
      )}
      <SavesState server={server} saves={saves} />
      {list && (
        <>
          <BackupList
            saves={saves}
            list={list}
            mayAct={mayAct}
            onRestore={(backup) => onAsk({ action: 'restore', backup })}
          />
          <NightlyCard serverId={server.id} atMinute={list.nightly?.atMinute ?? null} />
        </>
      )}
      {question && <Asked server={server} saves={saves} question={question} onClose={() => onAsk(null)} />}
    </Stack>
  );
};

interface AskedProps extends Pick<PartsProps, 'server' | 'saves'> {
  readonly question: Question;
  readonly onClose: () => void;
}

const Asked = ({ server, saves, question, onClose }: AskedProps) => {
  switch (question.action) {
    case 'backup':
      // If none can be created, the page behind says why.
      return obstacleTo('backup', saves) === null ? (
        <SaveQuestion server={server} request={question} onClose={onClose} />
      ) : null;
    case 'confirm':
      return (
        <SaveQuestion
          server={server}
          request={{ action: 'confirm', backup: question.backup }}
          onClose={onClose}
        />
      );
    case 'restore':
      return (
        <ReplaceDialog
          server={server}
          saves={saves}
          backup={question.backup}
          action="restore"
          onClose={onClose}
        />
      );
    case 'undo': {
      const taken = saves.list?.backups.find(({ name }) => name === question.backup);
      return (
        <ReplaceDialog
          server={server}
          saves={saves}
          backup={{ name: question.backup, notes: [], takenAt: taken?.takenAt ?? null }}
          action="undo"
          onClose={onClose}
        />
      );
    }
  }
};
