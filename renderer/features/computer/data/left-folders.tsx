import { Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { DataFolderState } from '#contracts/desktop-data-folder.ts';
import { Card } from '../../../design/card.tsx';
import { ConfirmAction } from '../../../design/confirm-action.tsx';
import { callDesktop } from '../../../desktop/desktop-bridge.ts';
import { useFormat } from '../../../language/use-format.ts';
import { useWords } from '../../../language/use-words.ts';
import { ActionFailed } from '../../../wizard/action-failed.tsx';
import { useDesktopAction } from '../../../wizard/use-desktop-action.ts';
import { dataWords } from './data.words.ts';

interface Hearing {
  readonly onState: (state: DataFolderState) => void;
}

const Folder = ({ path }: { readonly path: string }) => (
  <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {path}
  </Code>
);

interface KeptFolderProps extends Hearing {
  readonly kept: NonNullable<DataFolderState['kept']>;
}

/** The old data folder after a move: kept until a person has it deleted. */
export const KeptFolder = ({ kept: { folder, bytes, isDeletable }, onState }: KeptFolderProps) => {
  const words = useWords(dataWords);
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card title={words.kept}>
      <Folder path={folder} />
      <Text>{words.keptText(format.bytes(bytes))}</Text>
      {!isDeletable && <Text c="dimmed">{words.keptWait}</Text>}
      <Group>
        <Button variant="default" disabled={!isDeletable} onClick={() => setIsAsking(true)}>
          {words.deleteKept}
        </Button>
      </Group>
      {isAsking && (
        <ConfirmAction
          title={words.deleteKeptTitle}
          act={words.deleteAct}
          onAction={async () => onState(await callDesktop('dataFolder.deleteKept', undefined))}
          onClose={() => setIsAsking(false)}
        >
          <Text style={{ overflowWrap: 'anywhere' }}>
            {words.deleteKeptText(folder, format.bytes(bytes))}
          </Text>
        </ConfirmAction>
      )}
    </Card>
  );
};

interface HalfCopyProps extends Hearing {
  readonly folder: string;
}

/** The leftovers of an interrupted move. */
export const HalfCopy = ({ folder, onState }: HalfCopyProps) => {
  const words = useWords(dataWords);
  const act = useDesktopAction();
  const remove = () => act.run(async () => onState(await callDesktop('dataFolder.deleteHalf', undefined)));
  return (
    <Card title={words.half}>
      <Folder path={folder} />
      <Text>{words.halfText}</Text>
      {act.error !== null && <ActionFailed error={act.error} />}
      <Group>
        <Button variant="default" onClick={remove} loading={act.isActing}>
          {words.deleteHalf}
        </Button>
      </Group>
    </Card>
  );
};
