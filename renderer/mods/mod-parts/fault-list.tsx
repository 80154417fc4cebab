import { Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlanFault } from '#contracts/mods/mods.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { modPartsWords } from './mod-parts.words.ts';
import classes from './mod-rows.module.css';
import { faultInWords } from './mods-in-words.ts';
import { OutsideLink } from './outside-link.tsx';
import { SaidOfMods } from './said-of-mods.tsx';

/** The faults of a plan, and the remedy for each; those that block the plan come first. */
export const FaultList = ({
  faults,
  actOf,
}: {
  readonly faults: readonly PlanFault[];
  /** An action for a fault right here, such as choosing its file. */
  readonly actOf?: (fault: PlanFault) => ReactNode;
}) => {
  const words = useWords(modPartsWords);
  const sorted = [...faults].sort((a, b) => Number(b.isBlocking) - Number(a.isBlocking));
  return (
    <ul className={classes.list}>
      {sorted.map((fault, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the faults of one plan never change places
        <li key={index} className={classes.row}>
          <Stack gap={4} className={classes.what}>
            <StateLabel tone={fault.isBlocking ? 'bad' : 'warn'}>
              <Text span fw={600}>
                <bdi>{faultInWords(fault, words)}</bdi>
              </Text>
            </StateLabel>
            {fault.detail !== null && (
              <Text size="sm">
                <SaidOfMods detail={fault.detail} />
              </Text>
            )}
            <Text size="sm">{words.remedies[fault.code]}</Text>
            {fault.fileName !== null && (
              <Text size="sm" component="div">
                {words.file}: <Code>{fault.fileName}</Code>
              </Text>
            )}
            {(fault.code === 'SOURCE_NO_KEY' || fault.code === 'SOURCE_KEY_REFUSED') && (
              <PanelLink to="/settings/external-services" size="sm">
                {words.toKey}
              </PanelLink>
            )}
          </Stack>
          <div className={classes.acts}>
            {fault.page !== null && (
              <OutsideLink href={fault.page} size="sm">
                {words.openPage}
              </OutsideLink>
            )}
            {actOf?.(fault)}
          </div>
        </li>
      ))}
    </ul>
  );
};
