import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { problemWords } from '../language/problem-words.ts';
import { useLanguage, useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';

/** What went wrong, and what to do about it. */
export const Trouble = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) => {
  const words = useWords(designWords);
  const { title, text, remedy } = problemWords(error, useLanguage());
  return (
    <Alert
      color="var(--tone-bad)"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="md">{text}</Text>
        {remedy && <Text size="md">{remedy}</Text>}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {words.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};
