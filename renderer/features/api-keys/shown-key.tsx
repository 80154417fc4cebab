import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { CopyButton } from '../../design/copy-button.tsx';
import { useWords } from '../../language/use-words.ts';
import { apiKeysWords } from './api-keys.words.ts';

export interface ShownKeyProps {
  readonly value: string;
  readonly onClose: () => void;
}

/** A new key, shown only once, so it closes only when the person confirms having saved it. */
export const ShownKey = ({ value, onClose }: ShownKeyProps) => {
  const { shown: words } = useWords(apiKeysWords);
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{words.text}</Text>
        <TextInput
          label={words.key}
          value={value}
          readOnly
          ff="monospace"
          onFocus={({ currentTarget }) => currentTarget.select()}
          rightSection={<CopyButton value={value} label={words.copy} />}
          data-autofocus
        />
        <Text size="sm">{words.usage}</Text>
        <Code block>{'Authorization: Bearer cst_…'}</Code>
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
