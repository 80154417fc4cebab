import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const catalogueWords = defineWords(
  {
    more: 'More',
    export: 'Export products',
    exportPictures: 'Export with pictures',
    import: 'Import products',
    importText:
      'Imports all products of the file, or none. Products with a known ID are updated and keep their stock; the others are added.',
    chooseFile: 'Choose file',
    chosen: (name: string) => `Selected: ${name}`,
    tooLarge: 'This file is larger than 64 MB. Export it without pictures.',
    checking: 'Checking the file …',
    wouldDo: (created: string, changed: string, unchanged: string) =>
      `New: ${created}. Changed: ${changed}. Unchanged: ${unchanged}.`,
    faults: (count: number) => plural.en(count, 'error in the file', 'errors in the file'),
    faultsMore: (shown: string, total: string) => `Showing ${shown} of ${total} errors.`,
    mend: 'Nothing was imported. Fix the file, then choose it again.',
    line: (line: string) => `Line ${line}`,
    doImport: 'Import',
    imported: 'Products imported',
    duplicate: 'Duplicate',
    copyName: (name: string) => `${name} (copy)`,
    duplicated: (name: string) => `Created ${name}. It is off.`,
    arrange: 'Arrange products',
    arrangeText: 'Players see the products of each category in this order.',
    noCategory: 'No category',
    move: (name: string) => `Move ${name}`,
    howTo:
      'Drag by the handle. With the keyboard: Space to lift, arrows to move, Space to drop, Escape to cancel.',
    lifted: (name: string, place: string, count: string) =>
      `Picked up ${name}. Position ${place} of ${count}. Move with the arrow keys, drop with Space, cancel with Escape.`,
    movedTo: (name: string, place: string, count: string) => `${name}: position ${place} of ${count}.`,
    dropped: (name: string, place: string) => `Dropped ${name} at position ${place}.`,
    cancelled: (name: string) => `${name} is back in its place.`,
    arranged: 'Order saved',
    empty: 'No products yet',
    readOnly: 'You can view products, but not arrange them.',
  },
  {
    more: 'Mais',
    export: 'Exportar produtos',
    exportPictures: 'Exportar com imagens',
    import: 'Importar produtos',
    importText:
      'Importa todos os produtos do arquivo, ou nenhum. Produtos com um ID conhecido são atualizados e mantêm o estoque; os outros são adicionados.',
    chooseFile: 'Escolher arquivo',
    chosen: (name: string) => `Selecionado: ${name}`,
    tooLarge: 'Este arquivo tem mais de 64 MB. Exporte sem imagens.',
    checking: 'Verificando o arquivo …',
    wouldDo: (created: string, changed: string, unchanged: string) =>
      `Novos: ${created}. Alterados: ${changed}. Iguais: ${unchanged}.`,
    faults: (count: number) => plural.pt(count, 'erro no arquivo', 'erros no arquivo'),
    faultsMore: (shown: string, total: string) => `Mostrando ${shown} de ${total} erros.`,
    mend: 'Nada foi importado. Corrija o arquivo e escolha-o de novo.',
    line: (line: string) => `Linha ${line}`,
    doImport: 'Importar',
    imported: 'Produtos importados',
    duplicate: 'Duplicar',
    copyName: (name: string) => `${name} (cópia)`,
    duplicated: (name: string) => `${name} foi criado. Ele está desativado.`,
    arrange: 'Organizar produtos',
    arrangeText: 'Os jogadores veem os produtos de cada categoria nesta ordem.',
    noCategory: 'Sem categoria',
    move: (name: string) => `Mover ${name}`,
    howTo:
      'Arraste pela alça. Com o teclado: Espaço para pegar, setas para mover, Espaço para soltar, Esc para cancelar.',
    lifted: (name: string, place: string, count: string) =>
      `${name} foi pego. Posição ${place} de ${count}. Mova com as setas, solte com Espaço, cancele com Esc.`,
    movedTo: (name: string, place: string, count: string) => `${name}: posição ${place} de ${count}.`,
    dropped: (name: string, place: string) => `${name} foi solto na posição ${place}.`,
    cancelled: (name: string) => `${name} voltou ao seu lugar.`,
    arranged: 'Ordem salva',
    empty: 'Nenhum produto ainda',
    readOnly: 'Você pode ver os produtos, mas não organizá-los.',
  },
);
