import { Button, Group, NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import type { PortReport } from '#contracts/desktop/desktop-first-run.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { firstRunWords } from './first-run.words.ts';

type Words = (typeof firstRunWords)[Language]['network'];

/** Null if the port is available. */
const faultOf = ({ port, state, owner }: PortReport, words: Words): string | null => {
  switch (state) {
    case 'free':
      return null;
    case 'taken':
      return owner ? words.taken(port, `${owner.name} (${owner.pid})`) : words.takenUnknown(port);
    case 'forbidden':
      return words.forbidden(port);
    case 'twice':
      return words.twice;
  }
};

/** A port, its current owner if it is taken, and an available alternative. */
export const PortField = (props: {
  readonly label: string;
  readonly port: number;
  readonly report: PortReport | undefined;
  readonly onPort: (port: number) => void;
  readonly isReadOnly?: boolean;
}) => {
  const { label, port, report, onPort, isReadOnly = false } = props;
  const { network } = useWords(firstRunWords);
  /** While another one is being typed; the stored value stays the last complete one. */
  const [isEmpty, setEmpty] = useState(false);
  const isAboutThis = report !== undefined && report.port === port;
  const free = isAboutThis && report.state !== 'free' ? report.free : null;
  const offer = (freePort: number) => {
    setEmpty(false);
    onPort(freePort);
  };
  return (
    <Stack gap={4}>
      <NumberInput
        label={label}
        value={isEmpty ? '' : port}
        onChange={(value) => {
          setEmpty(value === '');
          if (typeof value === 'number') onPort(value);
        }}
        min={1}
        max={65_535}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        hideControls
        error={isAboutThis && faultOf(report, network)}
        readOnly={isReadOnly}
        required
        withAsterisk={false}
      />
      {free !== null && (
        <Group>
          <Button size="xs" variant="default" onClick={() => offer(free)}>
            {network.freeInstead(free)}
          </Button>
        </Group>
      )}
    </Stack>
  );
};
