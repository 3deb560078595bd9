// Last names by where a family comes from, the most frequent first.

import type { Origin } from './first-names.ts'

export const LAST_NAMES: Record<Origin, string> = {
  general: `
    Smith, Johnson, Williams, Brown, Jones, Miller, Davis, Wilson, Anderson, Thomas, Taylor, Moore, Jackson, Martin,
    Lee, Thompson, White, Harris, Clark, Lewis, Robinson, Walker, Young, Allen, King, Wright, Scott, Hill, Green, Adams,
    Nelson, Baker, Hall, Campbell, Mitchell, Carter, Roberts, Phillips, Evans, Turner, Parker, Collins, Edwards,
    Stewart, Morris, Murphy, Cook, Rogers, Morgan, Peterson, Cooper, Reed, Bailey, Bell, Kelly, Howard, Ward, Cox,
    Richardson, Wood, Watson, Brooks, Bennett, Gray, James, Hughes, Price, Myers, Long, Foster, Sanders, Ross, Powell,
    Sullivan, Russell, Jenkins, Perry, Butler, Barnes, Fisher, Henderson, Coleman, Simmons, Patterson, Jordan, Reynolds,
    Hamilton, Graham, Wallace, Cole, West, Hayes, Bryant, Gibson, Ellis, Stevens, Ford, Marshall, Owens, McDonald,
    Harrison, Kennedy, Wells, Woods, Washington, Freeman, Tucker, Porter, Hunter, Hicks, Crawford, Henry, Boyd, Mason,
    Warren, Dixon, Burns, Gordon, Shaw, Holmes, Rice, Robertson, Hunt, Black, Palmer, Mills, Nichols, Grant, Knight,
    Ferguson, Rose, Stone, Hawkins, Dunn, Perkins, Hudson, Spencer, Gardner, Payne, Pierce, Berry, Matthews, Arnold,
    Wagner, Willis, Ray, Watkins, Olson, Carroll, Duncan, Snyder, Hart, Cunningham, Bradley, Lane, Andrews, Harper, Fox,
    Riley, Armstrong, Carpenter, Weaver, Greene, Lawrence, Elliott, Sims, Austin, Peters, Kelley, Franklin, Lawson,
    Fields, Ryan, Schmidt, Carr, Wheeler, Chapman, Oliver, Montgomery, Richards, Williamson, Johnston, Banks, Meyer,
    Bishop, McCoy, Howell, Morrison, Hansen, O'Brien, Gilbert, Harvey, Little, Burke, Welch, Larson, Jacobs, Lynch,
    Hanson, Day, Fuller, Schultz, Holland, Bowman, Keller, Walters, Schneider, Weber, Becker, O'Connor, Bates, Lowe,
    McKinney, Jefferson, Booker, Gaines, Cohen, Goldberg, Friedman, Levine, Kowalski, Nowak, Wiśniewski, Novak, Russo,
    Romano, Esposito, DeLuca, D'Angelo, Rossi, Bruno, Jensen, Sorensen, Lindqvist, Bjørnson, Müller, Hoffman, O'Neill,
    O'Donnell, Gallagher, FitzGerald, MacLeod, Van Dyke, Vander Meer, St. Clair, LeBlanc, Hébert, Boudreaux, Thibodeaux,
    Papadopoulos, Petrov, Ivanov, Kaplan, Begay, Yazzie, Tsosie, Kahananui, N'Diaye, Okafor, Mensah, Tesfaye`,
  hispanic: `
    García, Rodríguez, Martínez, Hernández, López, González, Pérez, Sánchez, Ramírez, Torres, Flores, Rivera, Gómez,
    Díaz, Reyes, Cruz, Morales, Gutiérrez, Ortiz, Ramos, Ruiz, Chávez, Álvarez, Mendoza, Castillo, Jiménez, Vásquez,
    Romero, Moreno, Herrera, Medina, Castro, Vargas, Guzmán, Fernández, Muñoz, Salazar, Garza, Soto, Delgado, Peña,
    Ríos, Alvarado, Sandoval, Contreras, Valdez, Guerrero, Estrada, Ortega, Núñez, Maldonado, Vega, Santiago, Domínguez,
    Espinoza, Silva, Padilla, Márquez, Cortez, Rojas, Acosta, Figueroa, Luna, Juárez, Navarro, Campos, Molina, Ávila,
    Ayala, Mejía, Carrillo, Durán, Santos, Salinas, Robles, Solís, Lara, Cervantes, Aguilar, Cárdenas, Colón, De la Cruz,
    De León, Quiñones`,
  chinese:
    'Wong, Chen, Wang, Li, Chan, Zhang, Liu, Lin, Huang, Wu, Yang, Chang, Lee, Cheng, Zhao, Ho, Lau, Tang, Hsu, Xu',
  vietnamese: 'Nguyen, Tran, Le, Pham, Huynh, Vo, Phan, Truong, Bui, Dang, Do, Ngo, Hoang, Duong, Ly, Dinh, Vu, Lam',
  korean: 'Kim, Lee, Park, Choi, Chung, Kang, Cho, Yoon, Jang, Lim, Han, Shin, Oh, Song, Hwang, Ahn',
  indian: `
    Patel, Singh, Shah, Kumar, Sharma, Gupta, Reddy, Desai, Mehta, Joshi, Rao, Nair, Iyer, Kaur, Agarwal, Chaudhary, Das,
    Banerjee`,
  arabic: 'Khan, Ahmed, Ali, Hussain, Hassan, Rahman, Malik, Ibrahim, Haddad, Mansour, Khalil, Saleh, Nasser, El-Amin',
}
