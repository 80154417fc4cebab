import { Stack, Text } from '@mantine/core';
import { useCan } from '../../kit/access/access-state.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PartDetail } from '../part-detail.tsx';
import { stackHealthWords } from './stack-health.words.ts';
import { needsAdvice, partPlaces, type StackPart } from './stack-parts.ts';

interface PartTroubleProps {
  readonly part: StackPart;
  /** The page that shows it: no link leads there. */
  readonly here: string;
}

/** What is wrong with a component, what that means, what to do and where. */
export const PartTrouble = ({ part, here }: PartTroubleProps) => {
  const { name, detail } = part;
  const words = useWords(stackHealthWords);
  const can = useCan();
  const { to, permission, page } = partPlaces[name];
  return (
    <Stack gap={4}>
      {detail && <PartDetail>{detail}</PartDetail>}
      {needsAdvice(part) && (
        <>
          <Text size="sm">{words.meanings[name]}</Text>
          <Text size="sm">{words.remedies[name]}</Text>
        </>
      )}
      {to !== here && can.somewhere(permission) && (
        <PanelLink to={to} size="sm">
          {words.open[page]}
        </PanelLink>
      )}
    </Stack>
  );
};
