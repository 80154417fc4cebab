import { Code, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { SaveRequest, SavesBackup, ServerSaves } from '#contracts/servers/saves.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { ReasonedButton } from '../../kit/design/reasoned-button.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { BackupList } from './backup-list.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';
import { obstacleTo, useObstacleText } from './save-obstacle.tsx';
import { savesWords } from './saves.words.ts';
import { clockTime, momentOf } from './saves-in-words.ts';
import { SavesState } from './saves-state.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { usualMinute } from './schedule-dialog.tsx';
import { useFocusHeir } from './use-focus-heir.ts';
import { useSaveAct, useSaves } from './use-saves.ts';

/** Asks once before a backup that a link leads to, and before the previous worlds are deleted. */
const SaveQuestion = (props: {
  readonly server: GameServer;
  readonly request: Extract<SaveRequest, { action: 'backup' | 'confirm' }>;
  readonly onClose: () => void;
}) => {
  const { server, request, onClose } = props;
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

/** A backup was restored, and the previous worlds still exist: the person keeps one of the two. */
const RestoredCard = (props: {
  readonly server: GameServer;
  readonly saves: ServerSaves;
  /** When the restored backup was taken, or its name. */
  readonly backup: string;
  readonly onDecide: (action: 'undo' | 'confirm') => void;
}) => {
  const { server, saves, backup, onDecide } = props;
  const words = useWords(savesWords);
  const format = useFormat();
  const obstacleText = useObstacleText();
  const part = useFocusHeir<HTMLDivElement>();
  const mayAct = useCan()('saves.write', server.id);
  const undoObstacle = obstacleTo('undo', saves);
  const taken = saves.list?.backups.find(({ name }) => name === backup)?.takenAt;
  return (
    <Card title={words.decide}>
      <Text>{words.decideText(taken === undefined ? backup : momentOf(taken, format))}</Text>
      <Group gap="xs" ref={part}>
        {mayAct && (
          <>
            <ReasonedButton
              variant="default"
              reason={obstacleText(obstacleTo('confirm', saves))}
              onClick={() => onDecide('confirm')}
            >
              {words.keep} …
            </ReasonedButton>
            <ReasonedButton
              variant="default"
              // The dialog itself explains how to stop the game.
              reason={undoObstacle === 'SAVES_GAME_RUNNING' ? null : obstacleText(undoObstacle)}
              onClick={() => onDecide('undo')}
            >
              {words.undo} …
            </ReasonedButton>
          </>
        )}
        <PanelLink to={`/servers/${encodeURIComponent(server.id)}`}>{words.toPower}</PanelLink>
      </Group>
    </Card>
  );
};

/** With an older agent, nightly backups can only be set on the game's machine: what to write there, and where. */
const NightlyCard = ({
  serverId,
  atMinute,
}: {
  readonly serverId: string;
  /** Null: no automatic backups. */
  readonly atMinute: number | null;
}) => {
  const words = useWords(savesWords);
  const time = clockTime(atMinute ?? usualMinute);
  const setting = `"saves": { "nightlyAt": "${time}" }`;
  const paths = [
    [words.onLinux, `/var/lib/castellan-agent/servers/${serverId}/config.json`],
    [words.onWindows, `C:\\ProgramData\\Castellan Agent\\servers\\${serverId}\\config.json`],
  ] as const;
  return (
    <Card title={words.setThere}>
      <Text size="sm">{atMinute === null ? words.offText : words.onText}</Text>
      <Setting text={setting} label={words.copySetting} />
      <Text size="sm" c="dimmed">
        {words.keeping}
      </Text>
      <Stack gap="xs">
        <Text size="sm">{words.where}</Text>
        {paths.map(([system, path]) => (
          <Stack key={system} gap={2}>
            <Text size="sm" c="dimmed">
              {system}
            </Text>
            <Setting text={path} label={`${words.copyPath}: ${system}`} />
          </Stack>
        ))}
      </Stack>
    </Card>
  );
};

const Setting = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start">
    <Code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Code>
    <CopyButton value={text} label={label} />
  </Group>
);

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

const Parts = (props: {
  readonly server: GameServer;
  readonly saves: ServerSaves;
  readonly question: Question | null;
  readonly onAsk: (question: Question | null) => void;
}) => {
  const { server, saves, question, onAsk } = props;
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
          {list.schedule && <ScheduleCard server={server} saves={saves} list={list} kept={list.schedule} />}
          <BackupList
            saves={saves}
            list={list}
            mayAct={mayAct}
            onRestore={(backup) => onAsk({ action: 'restore', backup })}
          />
          {!list.schedule && <NightlyCard serverId={server.id} atMinute={list.nightly?.atMinute ?? null} />}
        </>
      )}
      {question && <Asked server={server} saves={saves} question={question} onClose={() => onAsk(null)} />}
    </Stack>
  );
};

const Asked = (props: {
  readonly server: GameServer;
  readonly saves: ServerSaves;
  readonly question: Question;
  readonly onClose: () => void;
}) => {
  const { server, saves, question, onClose } = props;
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
