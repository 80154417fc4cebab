import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Trouble } from '../../kit/design/trouble.tsx';

/** The form of a step, with its one button. */
export const StepForm = ({
  act,
  isActing,
  isReady = true,
  error,
  onSubmit,
  children,
}: {
  readonly act: string;
  readonly isActing: boolean;
  readonly isReady?: boolean;
  readonly error: unknown;
  /** Not called again while the act is running. */
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      if (!isActing && isReady) onSubmit();
    }}
  >
    <Stack gap="sm" maw="26rem">
      {children}
      {error !== null && <Trouble error={error} />}
      <Group>
        <Button type="submit" loading={isActing} disabled={!isReady}>
          {act}
        </Button>
      </Group>
    </Stack>
  </form>
);
