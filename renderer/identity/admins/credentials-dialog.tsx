import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { usePublicAddress } from '../../kit/community/use-public-address.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { adminsWords } from './admins.words.ts';

/** Where to sign in, name and password, shown only once, so it closes only when the person confirms having saved them. */
export const CredentialsDialog = (props: {
  readonly title: string;
  readonly name: string;
  readonly password: string;
  readonly onClose: () => void;
}) => {
  const { title, name, password, onClose } = props;
  const words = useWords(adminsWords);
  const address = usePublicAddress();
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
          {address !== '' && (
            <Text style={{ overflowWrap: 'anywhere' }}>
              {words.credentials.address}: {address}
            </Text>
          )}
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
            <CopyButton
              value={[address, name, password].filter(Boolean).join('\n')}
              label={words.credentials.copy}
            />
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
