/** The game knows thousands; these are enough to be given. */
export const sevenDaysItems: readonly string[] = [
  'ammo9mmBulletBall',
  'casinoCoin',
  'drinkJarBoiledWater',
  'foodCanBeef',
  'gunHandgunT1Pistol',
  'medicalFirstAidBandage',
  'meleeToolRepairT1ClawHammer',
  'resourceForgedIron',
  'resourceWood',
  'vehicleBicyclePlaceable',
];

/** Six colours, from brown to purple. */
export const bestQuality = 6;
