import { defineWords } from '#contracts/kernel/words.ts';

export const generalWords = defineWords(
  {
    title: 'Startup and window',
    autostart: 'Start when you sign in',
    autostartText: 'Castellan starts in the tray when you sign in to this computer.',
    closeToTray: 'Keep running when you close the window',
    closeToTrayText: 'Reopen the window from the tray icon. When off, closing the window stops Castellan.',
    notices: 'Desktop notifications',
    noticesText:
      'When a component fails, the license is about to end, the disk is nearly full, or an update is ready.',
  },
  {
    title: 'Início e janela',
    autostart: 'Iniciar quando você entra',
    autostartText: 'O Castellan inicia na bandeja quando você entra neste computador.',
    closeToTray: 'Continuar rodando quando você fecha a janela',
    closeToTrayText: 'Reabra a janela pelo ícone da bandeja. Se desligado, fechar a janela para o Castellan.',
    notices: 'Notificações no desktop',
    noticesText:
      'Quando um componente falha, a licença está prestes a terminar, o disco está quase cheio ou há uma atualização pronta.',
  },
);
