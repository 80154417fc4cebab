import { Code, Group, List, Stack, Text } from '@mantine/core';
import { Card } from '../../kit/design/card.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { secretsWords } from './secrets.words.ts';

const commands = {
  rotate: 'castellan key rotate',
  make: 'openssl rand -hex 32',
  restart: 'castellan restart api',
  forget: 'castellan key forget',
} as const;
const steps = ['backUp', 'make', 'restart', 'reencrypt'] as const;

const Command = ({ text }: { readonly text: string }) => (
  <Group gap={4} wrap="nowrap">
    <Code>{text}</Code>
    <CopyButton value={text} />
  </Group>
);

/** The procedure for a new key: as one command, and by hand. */
export const RotationCard = () => {
  const { rotation: words } = useWords(secretsWords);
  return (
    <Card title={words.title}>
      <Stack gap="sm" maw="48rem">
        <Text>{words.text}</Text>
        <Command text={commands.rotate} />
        <Text>{words.byHand}</Text>
        <List type="ordered" spacing="xs">
          {steps.map((step) => (
            <List.Item key={step}>
              {words.steps[step]}
              {(step === 'make' || step === 'restart') && <Command text={commands[step]} />}
            </List.Item>
          ))}
        </List>
        <Text>{words.kept}</Text>
        <Text>{words.stolen}</Text>
        <Command text={commands.forget} />
      </Stack>
    </Card>
  );
};
