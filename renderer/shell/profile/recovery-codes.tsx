import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useMe } from '../../kit/access/access-state.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { useWords } from '../../kit/language/use-words.ts';
import classes from './profile.module.css';
import { profileWords } from './profile.words.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

const save = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
};

/** Shown only once, so it closes only when the person confirms having saved them. */
export const RecoveryCodes = ({ codes, onClose }: RecoveryCodesProps) => {
  const { twoStep: words } = useWords(profileWords);
  const general = useWords(designWords);
  const { name } = useMe();
  const clipboard = useClipboard({ timeout: 1500 });
  const [areKept, setAreKept] = useState(false);
  const text = `${words.fileHead(name)}\r\n\r\n${codes.join('\r\n')}\r\n`;
  const CopyIcon = clipboard.copied ? IconCheck : IconCopy;
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.codes}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{words.codesText}</Text>
        <ul className={classes.codes} aria-label={words.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<CopyIcon size={16} aria-hidden />}
            onClick={() => clipboard.copy(codes.join('\n'))}
          >
            {clipboard.copied ? words.copied : words.copyCodes}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => save(words.fileName, text)}
          >
            {words.download}
          </Button>
        </Group>
        {clipboard.error && <Text role="status">{general.cannotCopy}</Text>}
        <Checkbox
          label={words.kept}
          checked={areKept}
          onChange={({ currentTarget }) => setAreKept(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!areKept} onClick={onClose}>
            {words.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
