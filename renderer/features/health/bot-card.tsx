import { Text } from '@mantine/core';
import type { StackHealth } from '#contracts/health.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { useWords } from '../../language/use-words.ts';
import { PartDetail } from '../../stack-health/part-detail.tsx';
import { botStateOf, partTones, stackParts } from '../../stack-health/stack-parts.ts';
import { healthWords } from './health.words.ts';

/** The Discord bot's own report. */
export const BotCard = ({ health, isLastKnown }: { health: StackHealth; isLastKnown: boolean }) => {
  const words = useWords(healthWords);
  const can = useCan();
  const state = botStateOf(health.components.bot.detail);
  const part = stackParts(health).find(({ name }) => name === 'bot');
  const tone = isLastKnown || !part ? 'idle' : partTones[part.state];
  return (
    <Card title={words.bot}>
      <StateLabel tone={tone}>{state ? words.botStates[state] : words.botSilent}</StateLabel>
      {state && <Text>{words.botTexts[state]}</Text>}
      {part?.detail && <PartDetail>{part.detail}</PartDetail>}
      {state === 'waiting' && can('settings.read') && (
        <PanelLink to="/discord" size="sm">
          {words.openDiscord}
        </PanelLink>
      )}
    </Card>
  );
};
