import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../design/copy-button.tsx';
import { useWords } from '../../language/use-words.ts';
import { adminsWords } from './admins.words.ts';

export interface CredentialsDialogProps {
  readonly title: string;
  readonly name: string;
  readonly password: string;
  readonly onClose: () => void;
}

/** Name and password, shown only once, so it closes only when the person confirms having saved them. */
export const CredentialsDialog = ({ title, name, password, onClose }: CredentialsDialogProps) => {
  const words = useWords(adminsWords);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{words.credentials.text}</Text>
        <Stack gap={4}>
          <Text>
            {words.name}: <bdi>{name}</bdi>
          </Text>
          <Group gap={4} wrap="nowrap">
            <span>{words.password}:</span>
            <Code>{password}</Code>
            <CopyButton value={password} label={words.copyPassword} />
          </Group>
        </Stack>
        <Group justify="space-between" gap="xs">
          <Group gap={4}>
            <CopyButton value={`${name}\n${password}`} label={words.credentials.copy} />
            <Text size="sm" c="dimmed">
              {words.credentials.copy}
            </Text>
          </Group>
          <Button onClick={onClose} data-autofocus>
            {words.credentials.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
