import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ChangeWish, largestModUpload } from '#contracts/mods/mods.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { modPartsWords } from '../mod-parts/mod-parts.words.ts';
import { modsWords } from './mods.words.ts';
import { type UploadState, useUpload } from './use-upload.ts';

/** Takes a mod as a file; the plan shows its contents. */
export const UploadDialog = ({
  serverId,
  onPlan,
  onClose,
}: {
  readonly serverId: string;
  readonly onPlan: (wishes: readonly ChangeWish[]) => void;
  readonly onClose: () => void;
}) => {
  const words = useWords(modsWords);
  const format = useFormat();
  const [file, setFile] = useState<File | null>(null);
  const { state, error, send, stop } = useUpload(serverId);
  const fault =
    file === null
      ? null
      : file.size > largestModUpload
        ? words.tooLarge
        : file.size === 0
          ? words.emptyFile
          : null;
  return (
    <FormDialog
      title={words.uploadTitle}
      act={words.sendAct}
      isActing={state !== null}
      isReady={file !== null && fault === null}
      error={error}
      closeOnEscape={state === null}
      onSubmit={() => {
        if (file)
          void send(file).then((upload) => {
            if (upload) onPlan([{ do: 'install-upload', upload: upload.id }]);
          });
      }}
      onClose={() => {
        stop();
        onClose();
      }}
    >
      <Text size="sm">{words.uploadText}</Text>
      <Group>
        <FileButton accept={modFileTypes} onChange={setFile} inputProps={{ 'aria-label': words.chooseFile }}>
          {(props) => (
            <Button {...props} variant="default" disabled={state !== null} data-autofocus>
              {words.chooseFile}
            </Button>
          )}
        </FileButton>
        {file && (
          <Text size="sm">
            <bdi>{words.chosenFile(file.name, format.bytes(file.size))}</bdi>
          </Text>
        )}
      </Group>
      {fault !== null && (
        <Text c="var(--tone-bad)" role="alert">
          {fault}
        </Text>
      )}
      {state && <UploadProgress state={state} onCancel={stop} />}
    </FormDialog>
  );
};

export const modFileTypes = '.jar,.zip,.mrpack';

/** How much of a file has been uploaded, and how to cancel it. */
export const UploadProgress = ({
  state,
  onCancel,
}: {
  readonly state: UploadState;
  readonly onCancel: () => void;
}) => {
  const words = useWords(modsWords);
  const parts = useWords(modPartsWords);
  const format = useFormat();
  const { received, total, isHeldUp } = state;
  const percent = Math.floor((received / Math.max(1, total)) * 100);
  return (
    <Stack gap={4}>
      <Text size="sm">{words.sending(format.bytes(received), format.bytes(total), percent)}</Text>
      <Progress value={percent} aria-label={parts.progress} />
      <Text size="sm" role="status">
        {isHeldUp ? words.heldUp : ''}
      </Text>
      <Button size="xs" variant="default" w="fit-content" onClick={onCancel}>
        {words.cancelUpload}
      </Button>
    </Stack>
  );
};
