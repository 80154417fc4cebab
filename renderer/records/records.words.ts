import { plural } from '#contracts/language.ts';
import { defineWords } from '../language/define-words.ts';

export const recordsWords = defineWords(
  {
    newRows: (count: number) => plural.en(count, 'new entry', 'new entries'),
    newLines: (count: number) => plural.en(count, 'new line', 'new lines'),
    toNewest: 'To the newest',
    toOldest: 'To the oldest',
    reading: 'Reading …',
    end: 'That is all.',
    nothing: 'Nothing matches',
    nothingText: 'Widen or clear the filters to see more.',
    clear: 'Clear filters',
    from: 'From',
    to: 'Before',
    exportCsv: 'CSV',
    exportJsonLines: 'JSON',
    exportCsvLabel: 'Export what matches as CSV',
    exportJsonLinesLabel: 'Export what matches as JSON lines',
  },
  {
    newRows: (count: number) => plural.pt(count, 'registro novo', 'registros novos'),
    newLines: (count: number) => plural.pt(count, 'linha nova', 'linhas novas'),
    toNewest: 'Ir para os mais novos',
    toOldest: 'Ir para os mais antigos',
    reading: 'Lendo …',
    end: 'Isso é tudo.',
    nothing: 'Nada corresponde aos filtros',
    nothingText: 'Amplie ou limpe os filtros para ver mais.',
    clear: 'Limpar filtros',
    from: 'A partir de',
    to: 'Antes de',
    exportCsv: 'CSV',
    exportJsonLines: 'JSON',
    exportCsvLabel: 'Exportar o que corresponde em CSV',
    exportJsonLinesLabel: 'Exportar o que corresponde em JSON lines',
  },
);
